/* @tag: D_DECL_VOIDATTR
 * @says: invalid type declaration: attributes may not be used with void
 * @line: 5
 * a type attribute on void is an error */
unsigned void *v; BEGIN { exit(0); }
