/*@
 * what:    values are compared signed
 */
BEGIN { @["plus"] = sum(1); @["minus"] = sum(-1); exit(0); }
