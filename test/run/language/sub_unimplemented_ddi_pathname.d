/*@
 * what:    a program with ddi_pathname() is refused because the function is not implemented
 * status:  1
 */
BEGIN { trace(ddi_pathname(NULL, 1)); exit(0); }
