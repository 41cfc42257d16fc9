/*@
 * what:    stop() stops the traced process immediately; the process runs again when another process continues it
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 2'
 */
int stopped, ticks;
/* The clause for the second call comes first: it must not run in the call that sets `stopped` below. */
syscall::getppid:entry /pid == $target && stopped/ { printf("%d\n", ticks >= 10); }
syscall::getppid:entry /pid == $target && !stopped/ { stop(); stopped = pid; }
tick-20ms /stopped && ++ticks == 10/
{
	system("until grep -q stopped /proc/%d/status; do sleep 0.1; done", stopped);
	system("grep State: /proc/%d/status; kill -CONT %d", stopped, stopped);
}
