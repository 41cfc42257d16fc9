/*@
 * what:    trunc(@, n) keeps the n entries with the highest values
 */
BEGIN { @["a"] = sum(1); @["b"] = sum(3); @["c"] = sum(2); trunc(@, 2); exit(0); }
