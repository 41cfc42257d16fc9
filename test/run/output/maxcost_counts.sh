#@ what:    -x maxcost: firings that are passed by are stood for: the count is whole but for the last few, and marked
#@ needs:   syscall
# Between two calls the program works for so long that what firings cost outside of the traced program is no matter: passing by is enough.
program='syscall::getppid:entry /pid == $target/ { @a[ustack()] = count(); @b[ustack()] = count(); @c[ustack()] = count(); @d[ustack()] = count(); @e[ustack()] = count(); @f[execname] = count(); }'
$DTRACE -x maxcost=0.05cpu -x ledger -qn "$program" -c "$PROGS/storm 80000 1 50000" >"$TMP/out" 2>"$TMP/err"
grep -q 'maxcost: tracing would take .*:getppid:entry: one firing of [0-9]* is taken and stands for all' "$TMP/err" && echo told
awk '$1 == "storm" && $2 ~ /^~/ { sum = substr($2, 2) } END { print "whole: " (sum > 79000 && sum <= 80000) }' "$TMP/out"
awk '$3 == "passed_by:" { gsub(",", ""); print "ledger: " ($1 > 1000) }' "$TMP/err"
