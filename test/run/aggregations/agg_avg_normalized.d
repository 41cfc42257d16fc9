/*@
 * what:    normalize() of avg() divides the total before dividing by the count
 */
BEGIN { @ = avg(15); @ = avg(10); normalize(@, 10); exit(0); }
