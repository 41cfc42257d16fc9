/*@
 * what:    normalize() of stddev() applies the divisor to the squares and to the total
 */
BEGIN { @ = stddev(100); @ = stddev(300); normalize(@, 10); exit(0); }
