/*@
 * what:    an aggregating function extends its argument to 64 bits as signed or unsigned according to the argument's type
 */
BEGIN { @a = sum((uint32_t)-1); @b = max((int8_t)-1); @c = sum((uint8_t)-1); exit(0); }
