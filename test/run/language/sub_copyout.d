/*@
 * what:    copyout() writes bytes to the traced process
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	this->p = (char *)alloca(4);
	this->p[0] = 'X'; this->p[1] = 'Y';
	copyout(this->p, arg1, 2);
	copyout(this->p, arg1 + 4, 0);
	this->n = 1;
	copyout(this->p + 1, arg1 + 7, this->n);
}
