/*@
 * what:    ties are kept by key
 */
BEGIN { @["a"] = count(); @["b"] = count(); @["c"] = count(); trunc(@, 1); exit(0); }
