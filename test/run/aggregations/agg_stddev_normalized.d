/*@
 * what:    normalize() of stddev() divides the sum of squares and the total by the divisor
 */
BEGIN { @ = stddev(100); @ = stddev(300); normalize(@, 10); exit(0); }
