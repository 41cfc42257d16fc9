/*@
 * what:    cleanpath() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(cleanpath(nothing[1])); }
BEGIN { exit(0); }
