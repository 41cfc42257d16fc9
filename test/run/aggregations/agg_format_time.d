/*@
 * what:    %@Y and %@T print an aggregation value as a time
 * env:     TZ=UTC
 */
BEGIN { @ = max(86400000000000); printa("%@Y|%@T\n", @); exit(0); }
