/* @tag: D_DECL_SIGNINT
 * @says: invalid type declaration: signed and unsigned may only be used with integer types
 * @line: 5
 * sign on non-integer */
unsigned float f; BEGIN { exit(0); }
