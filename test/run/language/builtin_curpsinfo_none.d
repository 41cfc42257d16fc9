/*@
 * what:    a member of curpsinfo without translation is an error
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(curpsinfo->pr_size); exit(0); }
