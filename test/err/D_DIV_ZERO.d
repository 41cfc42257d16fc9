/* @tag: D_DIV_ZERO
 * @says: expression contains division by zero
 * @line: 5
 * division or remainder by a constant 0 is an error */
BEGIN { trace(7 / 0); }
