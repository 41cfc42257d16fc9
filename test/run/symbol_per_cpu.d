/*@
 * what:    a per-CPU variable has its type, and is read on the CPU where the probe fires
 * needs:   data-symbols
 */
int right, n;
profile:::tick-20ms
/n++ < 20/
{
	right += `current_task == curthread;
	right += `runqueues.curr == curthread || !curthread->pid;
	right += `runqueues.cpu == curcpu->cpu_id;
}
profile:::tick-20ms
/n == 20/
{
	printf("%d %d %d\n", right, sizeof(`current_task), sizeof(`runqueues) == sizeof(struct rq));
	exit(0);
}
