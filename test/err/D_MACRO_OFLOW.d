/* @tag: D_MACRO_OFLOW
 * @args: 99999999999999999999
 * integer operand > 64 bits */
BEGIN { trace($1); }
