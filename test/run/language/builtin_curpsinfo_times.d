/*@
 * what:    pr_start, pr_time and pr_ctime of curpsinfo are the start time and the CPU times of a process
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
BEGIN { tracer = curpsinfo->pr_start.tv_sec * 1000000000 + curpsinfo->pr_start.tv_nsec; }
syscall::getppid:entry
/pid == $target/
{
	this->start = curpsinfo->pr_start.tv_sec * 1000000000 + curpsinfo->pr_start.tv_nsec;
	printf("%d %d\n", tracer < this->start && this->start < timestamp, curpsinfo->pr_start.tv_nsec < 1000000000);
	printf("%d %d\n", curpsinfo->pr_time.tv_sec, curpsinfo->pr_ctime.tv_sec);
}
