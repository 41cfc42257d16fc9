#@ what:    with a low limit of locked memory (ulimit -l), a user with CAP_BPF and CAP_PERFMON can trace, or the error names this limit
#@ needs:   syscall
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace"
cd /
both=-all,+bpf,+perfmon
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || both=$both,+sys_admin
ulimit -l 512
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$both --ambient-caps=$both --bounding-set=$both "$TMP/dtrace" -x quietresize \
    -qn 'syscall:::entry /0/ { @[probefunc] = count(); } BEGIN { printf("traced\n"); exit(0); }' >"$TMP/out" 2>&1
if grep -q '^traced' "$TMP/out" || grep -q 'limit of locked memory (ulimit -l).*CAP_SYS_RESOURCE' "$TMP/out"; then
    echo "traced, or the limit is named"
else
    cat "$TMP/out"
fi
