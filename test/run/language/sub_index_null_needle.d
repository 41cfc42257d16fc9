/*@
 * what:    index() with a NULL search string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(index("a", nothing[1])); }
BEGIN { exit(0); }
