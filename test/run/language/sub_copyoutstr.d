/*@
 * what:    copyoutstr() writes a string with its NUL to the traced process
 * needs:   syscall guest
 * run:     -q -w -c '%progs%/show_buffer original'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	copyoutstr("hello", arg1, 100);
}
