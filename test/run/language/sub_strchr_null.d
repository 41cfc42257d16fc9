/*@
 * what:    strchr() in a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strchr(nothing[1], 'a')); }
BEGIN { exit(0); }
