#@ what:    -x maxcost samples probe hits and marks the extrapolated count
#@ needs:   syscall
# Between two calls the program works for so long that what firings cost outside of the traced program is no matter, and a firing costs so much
# that it is too much on a busy machine too: passing by is enough.
program='syscall::getsid:entry /pid == $target/ { @a[ustack()] = count(); @b[ustack()] = count(); @c[ustack()] = count(); @d[ustack()] = count(); @e[ustack()] = count(); @f[ustack()] = count(); @g[ustack()] = count(); @h[ustack()] = count(); @sum[execname] = count(); }'
$DTRACE -x maxcost=0.05cpu -x drops -qn "$program" -c "$PROGS/storm 40000 1 120000 getsid" >"$TMP/out" 2>"$TMP/err"
grep -q 'maxcost: tracing would take .*:getsid:entry: one firing of [0-9]* is traced and represents all' "$TMP/err" && echo told
# Where this machine's hooks are so dear that programs were attached for part of the time, what came after the last window is missing.
windows=$(awk '$3 == "detached:" { gsub(",", ""); print $1 }' "$TMP/err")
awk -v windows="$windows" '$1 == "storm" && $2 ~ /^~/ { sum = substr($2, 2) } END { print "whole: " (windows > 0 ? sum > 0 : sum > 39500 && sum < 40500) }' "$TMP/out"
awk '$3 == "passed_by:" { gsub(",", ""); print "ledger: " ($1 > 1000) }' "$TMP/err"
