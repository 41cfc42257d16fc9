/*@
 * what:    conversions with l and ll accept 64-bit types of either name
 */
BEGIN { printf("%ld %li %lu %lx %lo %lld %llu %llX\n", (long)-5, (long)-6, (unsigned long)7, (long)255, (unsigned long)8, (long long)-9, (uint64_t)10, (int64_t)171); exit(0); }
