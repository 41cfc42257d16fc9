/*@
 * what:    index() in an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(index(nothing[1], "a")); }
BEGIN { exit(0); }
