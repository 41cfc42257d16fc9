/*@
 * what:    the divisor is signed
 */
BEGIN { @ = sum(50); normalize(@, -7); exit(0); }
