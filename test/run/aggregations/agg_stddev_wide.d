/*@
 * what:    stddev() sums squares in 128 bits
 */
BEGIN { @ = stddev(1LL << 62); @ = stddev(-(1LL << 62)); exit(0); }
