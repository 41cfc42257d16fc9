#@ what:    -x maxcost runs a probe's clauses only for some hits, and marks the count estimated from them with ~
#@ needs:   syscall
# Between two calls the program computes for so long that hook overhead does not matter. A hit is so expensive that it
# exceeds the limit even on a busy machine. So it is enough to run clauses for a sample of the hits.
program='syscall::getsid:entry /pid == $target/ { @a[ustack()] = count(); @b[ustack()] = count(); @c[ustack()] = count(); @d[ustack()] = count(); @e[ustack()] = count(); @f[ustack()] = count(); @g[ustack()] = count(); @h[ustack()] = count(); @sum[execname] = count(); }'
$DTRACE -x maxcost=0.05cpu -x drops -qn "$program" -c "$PROGS/storm 40000 1 120000 getsid" >"$TMP/out" 2>"$TMP/err"
grep -q 'maxcost: tracing would take .*:getsid:entry: one firing of [0-9]* is traced and represents all' "$TMP/err" && echo told
# If hooks on this machine are so expensive that probes are attached only in windows, the estimate lacks the calls after
# the last window.
windows=$(awk '$3 == "detached:" { gsub(",", ""); print $1 }' "$TMP/err")
awk -v windows="$windows" '$1 == "storm" && $2 ~ /^~/ { sum = substr($2, 2) } END { print "whole: " (windows > 0 ? sum > 0 : sum > 39500 && sum < 40500) }' "$TMP/out"
awk '$3 == "sampled_out:" { gsub(",", ""); print "ledger: " ($1 > 1000) }' "$TMP/err"
