/*@
 * what:    $$pid and similar macros give ids as strings
 */
BEGIN { printf("%d %d\n", $$pid == lltostr($pid), $$uid == "0"); exit(0); }
