/*@
 * what:    aggregation updates made in END are printed
 */
BEGIN { @ = sum(1); exit(0); }
END { @ = sum(2); }
