/*@
 * what:    a divisor of zero acts as one
 */
BEGIN { @ = sum(50); zero = 0; normalize(@, zero); exit(0); }
