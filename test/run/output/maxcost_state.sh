#@ what:    -x maxcost: clauses that share a variable of all threads go together; what fits is left alone
#@ needs:   syscall
$DTRACE -x maxcost=0.01cpu -qn 'syscall::getppid:entry /pid == $target/ { at[tid] = timestamp; }
    syscall::getppid:return /at[tid]/ { @ = quantize(timestamp - at[tid]); at[tid] = 0; }' -c "$PROGS/storm 3000000" >/dev/null 2>"$TMP/err"
grep -o 'getppid:[a-z]*: is switched off' "$TMP/err" | sort
$DTRACE -x maxcost=50% -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$PROGS/syscalls getppid 50"
