/*@
 * what:    vtimestamp counts the time on a CPU, not the time asleep
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/work 1500 800'
 */
self uint64_t before;

syscall::getppid:entry
/pid == $target/
{
	printf("%s\n", self->before == 0 ? "began" : vtimestamp - self->before < 600000000 ? "slept" : "worked");
	self->before = vtimestamp;
}
