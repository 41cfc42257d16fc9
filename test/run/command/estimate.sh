#@ what:    --estimate prints the rate and the cost of each probe and the memory needed; without tracing rights it prints only the memory
#@ needs:   syscall
show()
{
    awk '{ gsub(",", "") }
        /:getpgid:entry$/ { print "rate:", ($1 > 0), "passed:", ($2 >= 90), "ns:", ($4 > 0 && $4 < 100000), "share:", ($(NF - 1) > 0) }
        / PROBE$/ { print } /^expected:/ { sub(/.*machine/, ""); print "expected" $0 } /^probes:/ { print $1, $2, $3, $4 }
        /^records:/ { print "records:", ($2 > 0) } /tracer: output/ { print "memory:", $1 } / in all: / { print "in all:", ($1 > 0) } /^detached in / { print "and detached" }' "$1"
}
for predicate in 'pid == $target' 'self->a++ < 10'; do # the estimate ends with the command
    $DTRACE --estimate=60s -n "syscall::getpgid:entry /$predicate/ { @[pid] = count(); trace(1); }" -c "$PROGS/storm 200000 1 0 getpgid" >"$TMP/out" 2>"$TMP/err"
    show "$TMP/out"
    cat "$TMP/err"
done
echo "a moment:"
$DTRACE -x estimate=1ms -n 'profile-1 { n++; }' | grep -c '^probes: 1, of which'
echo "whatever the limit:" # the command runs long enough for a limit to be reported
$DTRACE -x maxcost=0.001cpu --estimate=60s -n "syscall::getpgid:entry /pid == \$target/ { trace(1); }" -c "$PROGS/storm 3000000 1 0 getpgid" >"$TMP/out" 2>"$TMP/err"
show "$TMP/out" | grep rate
cat "$TMP/err"
echo "without rights:"
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace" && cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/dtrace" --estimate -n 'BEGIN { @[pid] = count(); }' >"$TMP/out"
grep '^probes' "$TMP/out"
show "$TMP/out" | grep memory
echo "mistakes:"
$DTRACE --estimate=0 -n BEGIN 2>&1
said=$($DTRACE --estimate 2>&1)
echo "status $?: $said"
