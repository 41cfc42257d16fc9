/*@
 * what:    recording an absent tail faults
 * stderr:  exact
 */
BEGIN { trace(strchr("abc", 'x')); }
BEGIN { trace(strlen(strstr("abc", "x"))); }
BEGIN { exit(0); }
