/*@
 * what:    strcasestr() raises a fault if the string or the search string is NULL
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strcasestr(nothing[1], "a")); }
BEGIN { trace(strcasestr("a", nothing[1])); }
BEGIN { exit(0); }
