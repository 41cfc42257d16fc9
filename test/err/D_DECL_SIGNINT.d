/* @tag: D_DECL_SIGNINT
 * @says: invalid type declaration: signed and unsigned may only be used with integer types
 * @line: 5
 * signed or unsigned on a non-integer type is an error */
unsigned float f; BEGIN { exit(0); }
