/*@
 * what:    usym(), ufunc(), umod() and uaddr() print a user address as symbol, function, module and symbol with offset
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry
/pid == $target/
{
	this->c = ucaller;
	usym(this->c); printf("|\n"); ufunc(this->c); printf("|\n"); umod(this->c); printf("|\n"); uaddr(this->c); printf("\n"); usym(1); printf("|\n");
	@[usym(this->c), umod(this->c)] = count();
	@[usym(this->c + 1), umod(this->c + 1)] = count();
}
END { printa("%A %A %@d\n", @); }
