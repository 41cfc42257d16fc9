/*@
 * what:    toupper() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(toupper(nothing[1])); }
BEGIN { exit(0); }
