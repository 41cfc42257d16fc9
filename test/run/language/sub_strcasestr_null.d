/*@
 * what:    strcasestr() in or of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strcasestr(nothing[1], "a")); }
BEGIN { trace(strcasestr("a", nothing[1])); }
BEGIN { exit(0); }
