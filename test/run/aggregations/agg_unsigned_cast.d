/*@
 * what:    an aggregation extends values to 64 bits by the type of its argument
 */
BEGIN { @a = sum((uint32_t)-1); @b = max((int8_t)-1); @c = sum((uint8_t)-1); exit(0); }
