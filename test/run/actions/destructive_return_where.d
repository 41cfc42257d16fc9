/*@
 * what:    return() in a probe whose kernel function does not support error injection is a compile-time error
 * run:     -qws %file%
 * status:  1
 */
syscall::close:return { return(-1); }
