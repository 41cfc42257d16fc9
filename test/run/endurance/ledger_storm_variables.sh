#@ what:    under heavy load, drop reason dynamic counts exactly the assignments that found no space for a dynamic variable
#@ lost:    dynamic
#@ needs:   syscall smp python3
#@ timeout: 60
count=100000
[ -n "$DTRACE_GUEST" ] && count=20000
$DTRACE -x format=jsonl -x drops -x hits -x dynvarsize=16k -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); a[timestamp, tid] = 1; }' \
    -c "$PROGS/storm $count 4" 2>/dev/null | python3 -B -c '
import sys
from account import Account
run = Account()
print("adds up:", run.adds_up(), " no room for variables:", run.causes["dynamic"] > 0)
print("lost as the ledger says:", run.lost() == run.causes["dynamic"], " all:", int(sys.argv[1]) - run.skipped() <= run.kept["_"] <= int(sys.argv[1]))' $count
