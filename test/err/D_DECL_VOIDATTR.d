/* @tag: D_DECL_VOIDATTR
 * attribute on void */
unsigned void *v; BEGIN { exit(0); }
