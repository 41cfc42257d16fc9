/*@
 * what:    normalize() with a divisor of 0 has the effect of 1
 */
BEGIN { @ = sum(50); zero = 0; normalize(@, zero); exit(0); }
