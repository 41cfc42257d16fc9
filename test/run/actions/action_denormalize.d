/*@
 * what:    denormalize() undoes normalize(), and normalize() with a divisor of 0 acts like a divisor of 1
 */
BEGIN { @ = sum(100); exit(0); }
END { normalize(@, 10); printa("%@d\n", @); normalize(@, 0); printa("%@d\n", @); normalize(@, 25); denormalize(@); printa("%@d\n", @); }
