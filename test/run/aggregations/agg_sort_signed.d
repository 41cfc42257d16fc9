/*@
 * what:    aggregation entries sort by signed values
 */
BEGIN { @["plus"] = sum(1); @["minus"] = sum(-1); exit(0); }
