/*@
 * what:    a member that has no translation
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(curpsinfo->pr_size); exit(0); }
