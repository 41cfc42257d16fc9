/*@
 * what:    copyoutstr() writes at most n bytes and leaves out the NUL of a longer string
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyoutstr("hello", arg1, 4);
	copyoutstr("hello", arg1, 0);
}
