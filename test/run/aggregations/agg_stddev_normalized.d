/*@
 * what:    a divisor applies to the squares and to the total
 */
BEGIN { @ = stddev(100); @ = stddev(300); normalize(@, 10); exit(0); }
