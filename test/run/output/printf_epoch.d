/*@
 * what:    %Y and %T print the date and time of 0 and of a billion seconds after 1970
 */
BEGIN { printf("%Y|%T|%Y\n", (uint64_t)0, (uint64_t)1000000000000000000, (uint64_t)1000000000000000000); exit(0); }
