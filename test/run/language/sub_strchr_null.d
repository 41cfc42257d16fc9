/*@
 * what:    strchr() in an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strchr(nothing[1], 'a')); }
BEGIN { exit(0); }
