#@ what:    under heavy load, keys that do not fit into a small map count under drop reason aggregation, and hits add up
#@ lost:    aggregation
#@ needs:   syscall smp python3
#@ timeout: 60
count=100000
[ -n "$DTRACE_GUEST" ] && count=20000
$DTRACE -x format=jsonl -x drops -x hits -x aggsize=64k -qn 'syscall::getppid:entry /pid == $target/ { @[tid, self->n++] = count(); }' \
    -c "$PROGS/storm $count 4" 2>/dev/null | python3 -B -c '
import sys
from account import Account
run = Account()
no_room = run.causes["aggregation"] + run.causes["aggregation_memory"]
print("adds up:", run.adds_up(), " no room for keys:", run.causes["aggregation"] > 0)
print("lost as the ledger says:", run.lost() == no_room, " all:", int(sys.argv[1]) - run.skipped() <= run.kept["_"] + no_room <= int(sys.argv[1]))' $count
