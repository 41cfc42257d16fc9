/*@
 * what:    a per-CPU kernel variable reads the instance of the current CPU
 * needs:   data-symbols
 */
int right, n;
profile:::tick-20ms
/n++ < 20/
{
	right += `runqueues.idle->pid == 0;
	right += `runqueues.curr == curthread || !curthread->pid;
	right += `runqueues.cpu == curcpu->cpu_id;
}
profile:::tick-20ms
/n == 20/
{
	printf("%d %d %d\n", right, sizeof(`runqueues.curr), sizeof(`runqueues) == sizeof(struct rq));
	exit(0);
}
