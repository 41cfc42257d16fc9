/*@
 * what:    integer conversions print the smallest and largest 64-bit values
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d %u %x %o\n", (int64_t)0x8000000000000000, (uint64_t)-1, (int64_t)-1, (int64_t)-1); exit(0); }
