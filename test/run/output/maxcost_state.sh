#@ what:    -x maxcost switches off all clauses that share a global array at the same time, and does not limit cheap probes
#@ needs:   syscall
$DTRACE -x maxcost=0.01cpu -qn 'syscall::getppid:entry /pid == $target/ { at[tid] = timestamp; }
    syscall::getppid:return /at[tid]/ { @ = quantize(timestamp - at[tid]); at[tid] = 0; }' -c "$PROGS/storm 3000000" >/dev/null 2>"$TMP/err"
grep -o 'getppid:[a-z]*: is switched off' "$TMP/err" | sort
$DTRACE -x maxcost=50% -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$PROGS/syscalls getppid 50"
# Traces two independent pairs of entry and return, and a stddev(), whose squares are multiplied by the weight of a hit.
$DTRACE -x maxcost=50% -qn 'syscall::getppid:entry /pid == $target/ { self->a = 3; } syscall::getppid:return /self->a/ { @ = sum(self->a); self->a = 0; }
    syscall::getpgid:entry /pid == $target/ { self->b = 5; } syscall::getpgid:return /self->b/ { @b = sum(self->b); self->b = 0; }' -c "$PROGS/syscalls getppid 50"
$DTRACE -x maxcost=50% -qn 'syscall::getppid:entry /pid == $target/ { @ = stddev(arg0 * 0 + 4); }' -c "$PROGS/syscalls getppid 50"
