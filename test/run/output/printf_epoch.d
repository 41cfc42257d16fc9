/*@
 * what:    %Y and %T of the epoch and of a billion seconds
 */
BEGIN { printf("%Y|%T|%Y\n", (uint64_t)0, (uint64_t)1000000000000000000, (uint64_t)1000000000000000000); exit(0); }
