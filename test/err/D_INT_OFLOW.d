/* @tag: D_INT_OFLOW
 * constant > 64 bits, or no type fits */
BEGIN { trace(0x1ffffffffffffffff); }
