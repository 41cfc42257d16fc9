#@ what:    --estimate of a dear clause on every function of the kernel ends with a price, refuses nothing and leaves nothing behind
#@ needs:   guest kprobe
#@ timeout: 60
dmesg -c >/dev/null
$DTRACE --estimate -n 'fbt:::entry { @[stack()] = count(); }' >"$TMP/out" 2>"$TMP/err"
echo "status $?"
grep -v "the kernel skips what fires inside itself" "$TMP/err" # as it would for the program
awk '{ gsub(",", "") } /^expected: / { print "price:", ($2 > 0) } /^probes: / { print "probes:", ($2 > 10000) } / in all: / { print "memory:", ($1 > 0) }' "$TMP/out"
dmesg | grep -wE 'WARNING|BUG|lockup|stall|Call Trace'
wc -l </sys/kernel/tracing/kprobe_events
