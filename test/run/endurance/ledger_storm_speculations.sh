#@ what:    under heavy load, drop reasons speculation_id and speculation count exactly the failed speculations and the records without space
#@ lost:    speculation speculation_id
#@ needs:   syscall smp python3
#@ timeout: 60
count=20000
[ -n "$DTRACE_GUEST" ] && count=5000
# With nspec=1, each call requests two speculations but gets at most one. Two records are sent to this speculation,
# which has space for one.
$DTRACE -x format=jsonl -x drops -x hits -x nspec=1 -x specsize=24 -qn 'syscall::getppid:entry /pid == $target/ { self->s = speculation(); self->t = speculation(); }
    syscall::getppid:entry /pid == $target/ { @none = sum(!self->s + !self->t); @some = sum(self->s != 0); }
    syscall::getppid:entry /self->s/ { speculate(self->s); trace(1); } syscall::getppid:entry /self->s/ { speculate(self->s); trace(2); }
    syscall::getppid:return /self->s/ { commit(self->s); self->s = 0; }
    syscall::getppid:return /self->t/ { discard(self->t); self->t = 0; }' -c "$PROGS/storm $count 4" 2>/dev/null | python3 -B -c '
from account import Account
run = Account()
records, buffers = run.causes["speculation"], run.causes["speculation_id"]
print("adds up:", run.adds_up(), " no room for records:", records > 0, " no buffer:", buffers > 0)
unended = 2 * run.kept["some"] - len(run.records) - records # records whose commit() the kernel skipped
print("buffers:", buffers == run.kept["none"], " records:", 0 <= unended <= 2 * run.skipped(), " lost:", 0 < run.lost() <= buffers + records)'
