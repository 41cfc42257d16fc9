/*@
 * what:    rindex() in an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(rindex(nothing[1], "a")); }
BEGIN { exit(0); }
