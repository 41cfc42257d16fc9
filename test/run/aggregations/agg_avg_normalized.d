/*@
 * what:    a divisor applies to the total, before the count
 */
BEGIN { @ = avg(15); @ = avg(10); normalize(@, 10); exit(0); }
