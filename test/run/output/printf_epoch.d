/*@
 * what:    %Y and %T print time 0 and a billion seconds correctly
 */
BEGIN { printf("%Y|%T|%Y\n", (uint64_t)0, (uint64_t)1000000000000000000, (uint64_t)1000000000000000000); exit(0); }
