/*@
 * what:    copyoutstr() writes at most n bytes: a longer text is cut without a NUL
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyoutstr("hello", arg1, 4);
	copyoutstr("hello", arg1, 0);
}
