/*@
 * what:    text written to the traced process, with its NUL
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyoutstr("hello", arg1, 100);
}
