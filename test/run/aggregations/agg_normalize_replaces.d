/*@
 * what:    a second divisor replaces the first
 */
BEGIN { @ = sum(60); normalize(@, 2); normalize(@, 3); exit(0); }
