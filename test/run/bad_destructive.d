/*@
 * what:    a destructive action needs -w
 * status:  1
 */
BEGIN { system("true"); exit(0); }
