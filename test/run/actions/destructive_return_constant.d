/*@
 * what:    return() refuses a constant that is no error number
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(1); }
