/*@
 * what:    ddi_pathname() is refused as not implemented
 * status:  1
 */
BEGIN { trace(ddi_pathname(NULL, 1)); exit(0); }
