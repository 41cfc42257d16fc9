/*@
 * what:    a classic script that counts process states and their changes, with structs and histograms, runs unmodified
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/sleeper 5'
 */
/* Prints fixed columns, three kinds of process state, and a histogram for each kind. */
#pragma D option aggsortpos=0
#pragma D option aggsortkeypos=1
#pragma D option stackindent=4

int late;

BEGIN
{
	state[0] = "idle"; state[1] = "run"; state[2] = "sleep";
	cur = 0;
	n[0] = n[1] = n[2] = 0;
	printf("%-6s%6s%s%6s\n", "FROM", "TO", " ", "N");
}

syscall::clock_nanosleep:entry, syscall::nanosleep:entry
/pid == $target && cur != 2/
{
	n[2]++;
	@t[state[cur], state[2]] = count();
	cur = 2; last = timestamp;
	this->req = (struct timespec64 *)copyin(arg0 > 4096 ? arg0 : arg2, sizeof (struct timespec64));
	@q["ms"] = lquantize(this->req->tv_nsec / 1000000, 0, 100, 10);
	req = this->req->tv_nsec;
}

syscall::clock_nanosleep:return, syscall::nanosleep:return
/pid == $target && cur == 2/
{
	n[1]++;
	@t[state[cur], state[1]] = count();
	late += (timestamp - last) < req;
	cur = 1;
}

syscall::clock_nanosleep:return, syscall::nanosleep:return
/n[1] == 5/
{
	exit(0);
}

END
{
	printa("%-6s%6s%@7d\n", @t);
	printf("%d %d %d, early %d\n", n[0], n[1], n[2], late);
	printa(@q);
}
