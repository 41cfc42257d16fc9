#@ what:    -x maxcost: what the trap alone makes too dear is attached for part of the time; the steps are told, and the values marked
#@ lost:    detached
#@ needs:   syscall
$DTRACE -x maxcost=0.05cpu -x format=jsonl -x errors=json -x ledger -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
    -c "$PROGS/storm 10000000" >"$TMP/out" 2>"$TMP/err"
grep -c '"type":"agg".*"estimated":true' "$TMP/out"
grep '"tag":"BUDGET"' "$TMP/err" | grep -q '"attached_permille":[0-9]\{1,3\},' && echo "attached less"
grep '"cause":"detached"' "$TMP/out" | grep -q '"count":[1-9]' && echo "ledger"
