/*@
 * what:    %Y and %T print calendar times
 */
BEGIN { printf("%Y|%T\n", (uint64_t)0, (uint64_t)1000000000000000000); exit(0); }
