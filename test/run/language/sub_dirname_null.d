/*@
 * what:    dirname() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(dirname(nothing[1])); }
BEGIN { exit(0); }
