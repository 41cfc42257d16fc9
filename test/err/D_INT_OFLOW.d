/* @tag: D_INT_OFLOW
 * @says: integer constant 0x1ffffffffffffffff cannot be represented in any built-in integral type
 * @line: 5
 * constant > 64 bits, or no type fits */
BEGIN { trace(0x1ffffffffffffffff); }
