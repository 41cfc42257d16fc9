/*@
 * what:    trace() of the NULL that strchr() or strstr() returns raises a fault
 * stderr:  exact
 */
BEGIN { trace(strchr("abc", 'x')); }
BEGIN { trace(strlen(strstr("abc", "x"))); }
BEGIN { exit(0); }
