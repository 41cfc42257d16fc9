/* @tag: D_MACRO_UNDEF
 * @says: macro argument $1 is not defined
 * @line: 5
 * an unknown macro or a missing macro argument is an error */
BEGIN { trace($1); }
