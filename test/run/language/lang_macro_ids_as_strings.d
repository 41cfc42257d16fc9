/*@
 * what:    $$pid and $$uid are the values of $pid and $uid as strings
 */
BEGIN { printf("%d %d\n", $$pid == lltostr($pid), $$uid == "0"); exit(0); }
