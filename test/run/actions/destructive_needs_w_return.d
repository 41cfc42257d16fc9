/*@
 * what:    return() without -w compiles and does not start
 * status:  1
 */
syscall::close:entry { return(-1); }
