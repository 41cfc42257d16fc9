#@ what:    if the kernel hides its addresses, -x annotate prints the reason and the trace runs without it
#@ needs:   syscall
without="setpriv --inh-caps=-syslog --bounding-set=-syslog"
message='annotate: the kernel hides its addresses (CAP_SYSLOG is needed, and kernel.kptr_restrict below 2)'
if $without grep -qm1 '^0*[1-9a-f]' /proc/kallsyms; then # this kernel hides no addresses
    printf "%s\n1\n" "$message"
else
    $without $DTRACE --annotate -qn 'BEGIN { n++; } END { printf("%d\n", n); }' -c true 2>&1 >"$TMP/out" | grep '^annotate: '
    cat "$TMP/out"
fi
