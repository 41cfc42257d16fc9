/*@
 * what:    $$pid and its kin are the numbers as text
 */
BEGIN { printf("%d %d\n", $$pid == lltostr($pid), $$uid == "0"); exit(0); }
