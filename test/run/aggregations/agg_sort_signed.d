/*@
 * what:    entries print in the order of their values as signed numbers
 */
BEGIN { @["plus"] = sum(1); @["minus"] = sum(-1); exit(0); }
