/*@
 * what:    basename() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(basename(nothing[1])); }
BEGIN { exit(0); }
