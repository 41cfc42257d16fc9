/*@
 * what:    the time from entry to return of a system call is timestamp minus a self-> variable set at entry
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/writes 200 10'
 */
BEGIN { begun = timestamp; }
syscall::write:entry /pid == $target && arg0 == 3/ { self->ts = timestamp; }
syscall::write:return /self->ts/
{
	this->ns = timestamp - self->ts;
	@n = count();
	@sane = sum(this->ns > 0 && this->ns < timestamp - begun);
	@time = quantize(this->ns);
	self->ts = 0;
}
END { printa("%@d\n", @n); printa("%@d\n", @sane); }
