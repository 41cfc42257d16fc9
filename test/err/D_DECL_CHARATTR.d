/* @tag: D_DECL_CHARATTR
 * @says: invalid type declaration: short and long may not be used with char
 * @line: 5
 * long or short applied to char is an error */
long char c; BEGIN { exit(0); }
