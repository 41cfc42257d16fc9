/*@
 * what:    stddev() of 1, 2, 3 and 4 truncates the mean before squaring it
 */
BEGIN { @ = stddev(1); @ = stddev(2); @ = stddev(3); @ = stddev(4); exit(0); }
