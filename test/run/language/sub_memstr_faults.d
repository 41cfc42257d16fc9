/*@
 * what:    memstr() of memory that cannot be read raises a fault
 * stderr:  exact
 */
BEGIN { memstr((void *)8, ' ', 8); }
BEGIN { memstr(alloca(8), ' ', 10); }
BEGIN { trace(memstr(NULL, ' ', 2)); }
BEGIN { exit(0); }
