/*@
 * what:    strlen() of an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strlen(nothing[1])); }
BEGIN { exit(0); }
