/*@
 * what:    a macro argument that was not given
 * run:     -qs %file% one
 * status:  1
 */
BEGIN { trace($2); }
