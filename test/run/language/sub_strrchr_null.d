/*@
 * what:    strrchr() in an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strrchr(nothing[1], 'a')); }
BEGIN { exit(0); }
