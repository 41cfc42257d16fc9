/*@
 * what:    strjoin() with a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strjoin("a", nothing[1])); }
BEGIN { exit(0); }
