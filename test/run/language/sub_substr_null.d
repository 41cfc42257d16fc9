/*@
 * what:    substr() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(substr(nothing[1], 0)); }
BEGIN { exit(0); }
