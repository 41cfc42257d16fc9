/*@
 * what:    index() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(index("a", nothing[1])); }
BEGIN { exit(0); }
