/*@
 * what:    ddi_pathname() is known and refused
 * status:  1
 */
BEGIN { trace(ddi_pathname(NULL, 1)); exit(0); }
