#@ what:    fbt probes on locks, hash maps and scheduler functions, which tracing itself uses, do not hang, and each hit is recorded or counted as lost
#@ needs:   guest kprobe
#@ timeout: 120
nice -n 19 "$PROGS/storm" 1000000000 4 0 sched_yield & # at low priority, so that the tracer gets CPU time
storm=$!
# On machines that inline locks (arm64), the functions _raw_spin_* do not exist.
$DTRACE -Zx hits -qn 'int calls, seconds;
    fbt::_raw_spin_*:entry, fbt::htab_*:entry, fbt::schedul*:entry { @[probefunc] = count(); }
    syscall::sched_yield:entry { ++calls; } tick-1s /++seconds >= 3 && calls >= 10000/ { exit(0); }' >"$TMP/out" 2>"$TMP/err"
echo "status $?"
kill $storm 2>/dev/null
awk '/ fbt:[^:]/ && $1 ~ /^[0-9]/ { fired += $1; recorded += $3; lost += $4; wrong += $1 != $2 + $3 + $4 }
    / aggregation drops? / { drops += $2 }
    END { print "fired:", (fired > 1000), " wrong:", wrong + 0, " lost as told:", (lost == drops + 0) }' "$TMP/err"
awk -v recorded="$(awk '/ fbt:[^:]/ { n += $3 } END { print n }' "$TMP/err")" '{ n += $2 } END { print "counted as recorded:", (n == recorded) }' "$TMP/out"
