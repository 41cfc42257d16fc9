/*@
 * what:    trunc() selects by key among entries with equal values
 */
BEGIN { @["a"] = count(); @["b"] = count(); @["c"] = count(); trunc(@, 1); exit(0); }
