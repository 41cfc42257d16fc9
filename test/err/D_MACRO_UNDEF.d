/* @tag: D_MACRO_UNDEF
 * unknown macro or missing operand */
BEGIN { trace($1); }
