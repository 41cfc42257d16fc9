#@ what:    -x cost counts all hits of a probe, and shows more time for an expensive clause than for a cheap one
#@ needs:   syscall
# Only some hits are timed, so one interrupt can distort a mean. The test therefore fails only if the result is wrong five times in a row.
for try in 1 2 3 4 5; do
$DTRACE -x cost -qn 'syscall::getppid:entry /pid == $target/ { n++; } syscall::getppid:entry /pid == $target/ { @[ustack(), execname] = count(); }
    syscall::getpgid:entry { m++; }' -c "$PROGS/storm 20000 1" >/dev/null 2>"$TMP/err"
awk '{ gsub(",", "") }
    / CLAUSE$/ { clauses = 1 } / PROBE$/ { clauses = 0; probes = 1 }
    clauses && $NF == "syscall::getppid:entry" { fired[++n] = $1; mean[n] = $3 }
    probes && /:getppid:entry$/ { all = $1; whole = $3; p99 = $4; most = $5 }
    /^traced:/ { traced = $2 } /^timed:/ { timed = $2 }
    END {
        print "clauses:", n, (fired[1] == all && fired[2] == all), "dearest first:", (mean[1] > mean[2])
        print "firings:", (all >= 20000), "timed:", (timed > 16 && timed <= all)
        print "in order:", (0 < whole && whole <= most && p99 <= most)
        print "sum:", (mean[1] + mean[2] > whole * 0.7 && mean[1] + mean[2] < whole * 1.3), (traced > 0)
    }' "$TMP/err" >"$TMP/says"
grep -q '^sum: 1' "$TMP/says" && break
done
cat "$TMP/says"
