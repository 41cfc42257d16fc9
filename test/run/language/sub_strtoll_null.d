/*@
 * what:    strtoll() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtoll(nothing[1])); }
BEGIN { exit(0); }
