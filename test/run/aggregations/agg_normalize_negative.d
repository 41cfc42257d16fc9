/*@
 * what:    normalize() accepts a negative divisor
 */
BEGIN { @ = sum(50); normalize(@, -7); exit(0); }
