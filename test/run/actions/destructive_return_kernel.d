/*@
 * what:    if the kernel cannot override return values, a program with return() is refused when the trace starts
 * needs:   no-override
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(-1); }
