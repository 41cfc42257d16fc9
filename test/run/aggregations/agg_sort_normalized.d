/*@
 * what:    a divisor does not change the order
 */
BEGIN { @["a"] = sum(12); @["b"] = sum(11); normalize(@, 10); exit(0); }
