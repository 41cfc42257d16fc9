/*@
 * what:    strtok() with absent delimiters faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtok("a", nothing[1])); }
BEGIN { exit(0); }
