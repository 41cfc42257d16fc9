/*@
 * what:    denormalize() takes normalize() back; a divisor of 0 is none
 */
BEGIN { @ = sum(100); exit(0); }
END { normalize(@, 10); printa("%@d\n", @); normalize(@, 0); printa("%@d\n", @); normalize(@, 25); denormalize(@); printa("%@d\n", @); }
