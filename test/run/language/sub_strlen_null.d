/*@
 * what:    strlen() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strlen(nothing[1])); }
BEGIN { exit(0); }
