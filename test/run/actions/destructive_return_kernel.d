/*@
 * what:    a kernel that cannot override return values is reported when the trace starts
 * needs:   no-override
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(-1); }
