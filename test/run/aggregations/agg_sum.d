/*@
 * what:    sum() adds signed values
 */
BEGIN { @a = sum(10); @a = sum(-25); @a = sum((uint8_t)200); @b = sum(0x100000000); @b = sum(1); exit(0); }
