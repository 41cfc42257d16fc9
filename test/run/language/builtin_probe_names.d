/*@
 * what:    probeprov, probemod, probefunc and probename give the four parts of the hit probe's name
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:* /pid == $target/ { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }
BEGIN { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }
