/*@
 * what:    normalize() of avg() divides the total by the divisor first, and then by the count
 */
BEGIN { @ = avg(15); @ = avg(10); normalize(@, 10); exit(0); }
