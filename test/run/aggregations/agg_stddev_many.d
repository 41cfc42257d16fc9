/*@
 * what:    stddev() of 1, 2, 3, 4: the mean is truncated before it is squared
 */
BEGIN { @ = stddev(1); @ = stddev(2); @ = stddev(3); @ = stddev(4); exit(0); }
