/*@
 * what:    strtoll() with a base outside 2 to 36 raises a fault
 * stderr:  exact
 */
int base;
BEGIN { base = 37; trace(strtoll("1", base)); }
BEGIN { base = 1; trace(strtoll("1", base)); }
BEGIN { base = 36; trace(strtoll("z", base)); exit(0); }
