/*@
 * what:    return() with a constant that is not an error number is a compile-time error
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(1); }
