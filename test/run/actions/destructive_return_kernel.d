/*@
 * what:    a kernel that cannot override says so at the start
 * needs:   no-override
 * run:     -qws %file%
 * status:  1
 */
syscall::close:entry { return(-1); }
