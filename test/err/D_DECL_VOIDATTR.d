/* @tag: D_DECL_VOIDATTR
 * @says: invalid type declaration: attributes may not be used with void
 * @line: 5
 * attribute on void */
unsigned void *v; BEGIN { exit(0); }
