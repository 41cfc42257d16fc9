/*@
 * what:    using an absent string is a fault
 */
self string s;
BEGIN { trace(self->s); }
BEGIN { exit(0); }
