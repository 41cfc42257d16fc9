/*@
 * what:    copyoutstr() writes at most the given number of bytes, without a NUL if the string is longer
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyoutstr("hello", arg1, 4);
	copyoutstr("hello", arg1, 0);
}
