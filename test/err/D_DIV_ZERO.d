/* @tag: D_DIV_ZERO
 * / % /= %= by constant 0 */
BEGIN { trace(7 / 0); }
