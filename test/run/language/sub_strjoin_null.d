/*@
 * what:    strjoin() with an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strjoin("a", nothing[1])); }
BEGIN { exit(0); }
