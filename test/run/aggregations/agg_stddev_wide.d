/*@
 * what:    stddev() stays exact when the sum of squares needs more than 64 bits
 */
BEGIN { @ = stddev(1LL << 62); @ = stddev(-(1LL << 62)); exit(0); }
