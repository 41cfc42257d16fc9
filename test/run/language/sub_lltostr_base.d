/*@
 * what:    lltostr() with a base outside 2 to 36 raises a fault
 * stderr:  exact
 */
int base;
BEGIN { base = 1; trace(lltostr(1, base)); }
BEGIN { base = 37; trace(lltostr(1, base)); }
BEGIN { base = -10; trace(lltostr(1, base)); }
BEGIN { base = 3; printf("%s\n", lltostr(5, base)); exit(0); }
