/*@
 * what:    a second normalize() replaces the first divisor
 */
BEGIN { @ = sum(60); normalize(@, 2); normalize(@, 3); exit(0); }
