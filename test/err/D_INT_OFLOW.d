/* @tag: D_INT_OFLOW
 * @says: integer constant 0x1ffffffffffffffff cannot be represented in any built-in integral type
 * @line: 5
 * an integer constant that fits no type is an error */
BEGIN { trace(0x1ffffffffffffffff); }
