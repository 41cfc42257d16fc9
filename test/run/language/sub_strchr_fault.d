/*@
 * what:    recording the NULL result of strchr() raises a fault
 * stderr:  exact
 */
BEGIN { trace(strchr("abc", 'x')); }
BEGIN { trace(strlen(strstr("abc", "x"))); }
BEGIN { exit(0); }
