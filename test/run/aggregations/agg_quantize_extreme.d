/*@
 * what:    the first and the last bucket
 */
BEGIN { @a = quantize(0x7fffffffffffffff); @b = quantize((int64_t)0x8000000000000000); exit(0); }
