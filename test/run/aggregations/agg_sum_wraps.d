/*@
 * what:    sum() wraps around at 64 bits
 */
BEGIN { @ = sum(0x7fffffffffffffff); @ = sum(2); exit(0); }
