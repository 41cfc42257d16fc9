/*@
 * what:    a member of curpsinfo for which Linux has no data, such as pr_size, is an error
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(curpsinfo->pr_size); exit(0); }
