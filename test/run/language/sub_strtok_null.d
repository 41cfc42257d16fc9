/*@
 * what:    strtok() of an absent string faults: only a literal NULL continues
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtok(nothing[1], " ")); }
BEGIN { exit(0); }
