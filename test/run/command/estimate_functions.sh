#@ what:    --estimate of a clause on every kernel function prints an expected cost, and afterwards no probe is attached
#@ needs:   guest kprobe
#@ timeout: 120
dmesg -c >/dev/null
# If the kernel can only attach functions one by one, --estimate counts a few random functions. The background load
# calls many functions, so that it calls at least one of these few.
for ((i = 0; i < 600; ++i)); do ls -l /proc/self/fd /sys/class/net /sys/kernel/mm; sleep 0.1; done >/dev/null 2>&1 &
load=$!
$DTRACE --estimate -n 'fbt:::entry { @[stack()] = count(); }' >"$TMP/out" 2>"$TMP/err"
echo "status $?"
kill $load
grep -v "the kernel skips a probe that fires while the program of a probe is running" "$TMP/err" # a normal run would print this too
awk '{ gsub(",", "") } /^expected: / { print "price:", ($2 > 0) } /^probes: / { print "probes:", ($2 > 10000) } / in all: / { print "memory:", ($1 > 0) }' "$TMP/out"
dmesg | grep -wE 'WARNING|BUG|lockup|stall|Call Trace'
wc -l </sys/kernel/tracing/kprobe_events
