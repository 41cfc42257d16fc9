/*@
 * what:    %Y and %T print date and time of a number of nanoseconds since 1970
 */
BEGIN { printf("%Y|%T\n", (uint64_t)0, (uint64_t)1000000000000000000); exit(0); }
