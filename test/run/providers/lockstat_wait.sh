#@ what:    lockstat gives the mutex, the error and the duration of an interrupted and of a successful mutex wait
#@ needs:   syscall
cat >$TMP/wait.d <<'D'
int n;
uint64_t at[int];
syscall::getppid:entry /pid == $target/ { n++; at[n] = timestamp; }
rawtp:lock::contention_begin /pid == $target && n % 2 == 0 && (arg1 & 32)/ { self->lock = arg0; }
lockstat:::adaptive-acquire-error /self->lock && arg0 == self->lock/
{
	printf("error %d in %d, mutex %d\n", args[1] == -EINTR, n, (uintptr_t)args[0] == self->lock);
}
lockstat:::adaptive-block /self->lock && arg0 == self->lock/
{
	printf("block in %d, mutex %d, at least while it was seen asleep %d, at most since its thread was made %d\n", n, (uintptr_t)args[0] == self->lock,
	    args[1] >= at[4] - at[3], args[1] <= timestamp - at[2]);
}
lockstat:::adaptive-spin /self->lock && arg0 == self->lock/ { printf("spin\n"); }
D
$DTRACE -qs $TMP/wait.d -c "$PROGS/locks wait 1" | sed '/^$/d'
