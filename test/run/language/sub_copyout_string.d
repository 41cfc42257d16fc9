/*@
 * what:    copyout() of a string writes exactly the given number of bytes to the traced process
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyout("X", arg1, 1);
	copyout(strjoin("a", "bc"), arg1 + 4, 3);
}
