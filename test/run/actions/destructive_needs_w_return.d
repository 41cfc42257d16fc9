/*@
 * what:    return() compiles without -w, but the trace does not start
 * status:  1
 */
syscall::close:entry { return(-1); }
