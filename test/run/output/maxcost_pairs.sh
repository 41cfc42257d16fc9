#@ what:    if -x maxcost does not run the clauses for a call's entry, it does not run them for its return, so that pairs are counted accurately
#@ needs:   syscall
# The load is that of maxcost_counts.sh: running clauses for a sample of the hits is enough to keep the limit.
program='syscall::getsid:entry /pid == $target/ { self->at = timestamp; @a[ustack()] = count(); @b[ustack()] = count(); @c[ustack()] = count(); @d[ustack()] = count(); @e[ustack()] = count(); @f[ustack()] = count(); @g[ustack()] = count(); @h[ustack()] = count(); }
    syscall::getsid:return /self->at/ { @sum[execname] = count(); @["less", timestamp < self->at] = count(); self->at = 0; }'
$DTRACE -x maxcost=0.05cpu -x drops -qn "$program" -c "$PROGS/storm 40000 1 120000 getsid" >"$TMP/out" 2>"$TMP/err"
grep -q 'maxcost: tracing would take .*:getsid:entry, .*:getsid:return: one firing of [0-9]* is traced and represents all' "$TMP/err" && echo told
# If hooks on this machine are so expensive that probes are attached only in windows, the estimate lacks the calls after
# the last window.
windows=$(awk '$3 == "detached:" { gsub(",", ""); print $1 }' "$TMP/err")
awk -v windows="$windows" '$1 == "storm" && $2 ~ /^~/ { sum = substr($2, 2) } END { print "whole: " (windows > 0 ? sum > 0 : sum > 39500 && sum < 40500) }' "$TMP/out"
awk '$1 == "less" { print "later than its beginning: " ($2 == 0) }' "$TMP/out"
