/*@
 * what:    return() is allowed only in probes whose kernel function supports error injection
 * run:     -qws %file%
 * status:  1
 */
syscall::close:return { return(-1); }
