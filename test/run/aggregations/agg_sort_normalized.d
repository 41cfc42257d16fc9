/*@
 * what:    entries print in the order of their values before normalize()
 */
BEGIN { @["a"] = sum(12); @["b"] = sum(11); normalize(@, 10); exit(0); }
