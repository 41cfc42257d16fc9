/*@
 * what:    strstr() in an absent string faults
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strstr(nothing[1], "a")); }
BEGIN { exit(0); }
