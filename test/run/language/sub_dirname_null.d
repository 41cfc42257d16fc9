/*@
 * what:    dirname() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(dirname(nothing[1])); }
BEGIN { exit(0); }
