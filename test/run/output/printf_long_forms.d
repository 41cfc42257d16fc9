/*@
 * what:    %ld and %lld accept 64-bit integers, whether their type is named long or long long
 */
BEGIN { printf("%ld %li %lu %lx %lo %lld %llu %llX\n", (long)-5, (long)-6, (unsigned long)7, (long)255, (unsigned long)8, (long long)-9, (uint64_t)10, (int64_t)171); exit(0); }
