/*@
 * what:    stop() stops the traced process before its next step, until someone lets it go on
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 2'
 */
syscall::getppid:entry /pid == $target && !stopped/ { stop(); stopped = pid; }
tick-20ms /stopped && ++ticks == 10/ { system("grep State: /proc/%d/status; kill -CONT %d", stopped, stopped); }
syscall::getppid:entry /pid == $target && ticks/ { printf("%d\n", ticks >= 10); }
