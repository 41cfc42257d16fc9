/*@
 * what:    a constant that is no error number is refused
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(1); }
