/*@
 * what:    cleanpath() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(cleanpath(nothing[1])); }
BEGIN { exit(0); }
