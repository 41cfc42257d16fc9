/*@
 * what:    strtok() with NULL delimiters raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtok("a", nothing[1])); }
BEGIN { exit(0); }
