/*@
 * what:    basename() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(basename(nothing[1])); }
BEGIN { exit(0); }
