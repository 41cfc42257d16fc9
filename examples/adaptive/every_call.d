/* Baseline for the cost of slowcalls.d: a record of every call with the same details. */
syscall:::entry
/pid == $target/
{
	self->begun = timestamp;
	printf("%8d %s(0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x)", tid, probefunc, arg0, arg1, arg2, arg3, arg4, arg5);
	ustack();
}

syscall:::return
/self->begun/
{
	printf("%8d %-16s %-16s %11d\n", pid, execname, probefunc, (timestamp - self->begun) / 1000);
	self->begun = 0;
}
