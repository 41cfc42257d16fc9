/*@
 * what:    probeprov, probemod, probefunc and probename are the four parts of the name of the probe that fired
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:* /pid == $target/ { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }
BEGIN { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }
