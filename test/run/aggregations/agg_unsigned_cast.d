/*@
 * what:    an aggregation value is the full 64-bit value of its argument's type
 */
BEGIN { @a = sum((uint32_t)-1); @b = max((int8_t)-1); @c = sum((uint8_t)-1); exit(0); }
