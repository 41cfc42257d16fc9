/*@
 * what:    toupper() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(toupper(nothing[1])); }
BEGIN { exit(0); }
