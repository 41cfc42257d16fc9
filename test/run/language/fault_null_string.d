/*@
 * what:    reading a NULL string raises a fault
 */
self string s;
BEGIN { trace(self->s); }
BEGIN { exit(0); }
