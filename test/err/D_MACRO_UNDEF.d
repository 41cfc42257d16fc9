/* @tag: D_MACRO_UNDEF
 * @says: macro argument $1 is not defined
 * @line: 5
 * unknown macro or missing operand */
BEGIN { trace($1); }
