#@ what:    -x maxcost: firings that are passed by are stood for: the count is whole but for the last few, and marked
#@ needs:   syscall
# A firing takes the program about a microsecond and the kernel a tenth of that: passing by is enough.
$DTRACE -x maxcost=0.3cpu -x ledger -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(), execname] = count(); }' \
    -c "$PROGS/storm 1000000" >"$TMP/out" 2>"$TMP/err"
grep -q 'maxcost: tracing would take .*:getppid:entry: one firing of [0-9]* is taken and stands for all' "$TMP/err" && echo told
awk '$NF ~ /^~/ { sum += substr($NF, 2) } END { print "whole: " (sum > 995000 && sum <= 1000000) }' "$TMP/out"
awk '$1 == "passed_by" { gsub(",", ""); print "ledger: " ($2 > 1000) }' "$TMP/err"
