/*@
 * what:    stddev() truncates the mean to an integer before squaring it
 */
BEGIN { @ = stddev(1); @ = stddev(2); @ = stddev(3); @ = stddev(4); exit(0); }
