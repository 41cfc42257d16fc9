/*@
 * what:    strtoll() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtoll(nothing[1])); }
BEGIN { exit(0); }
