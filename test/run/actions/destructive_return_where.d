/*@
 * what:    return() only where the kernel lets a call be answered
 * run:     -qws %file%
 * status:  1
 */
syscall::close:return { return(-1); }
