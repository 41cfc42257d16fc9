/* @tag: D_DIV_ZERO
 * @says: expression contains division by zero
 * @line: 5
 * / % /= %= by constant 0 */
BEGIN { trace(7 / 0); }
