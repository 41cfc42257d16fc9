/*@
 * what:    normalize() does not change the order of entries
 */
BEGIN { @["a"] = sum(12); @["b"] = sum(11); normalize(@, 10); exit(0); }
