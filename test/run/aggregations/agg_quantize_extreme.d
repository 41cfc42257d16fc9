/*@
 * what:    quantize() counts the smallest and the largest values in its first and last buckets
 */
BEGIN { @a = quantize(0x7fffffffffffffff); @b = quantize((int64_t)0x8000000000000000); exit(0); }
