/* @tag: D_DECL_ARRBIG
 * @says: an array may have 1152921504606846975 bytes at most
 * @line: 5
 * array dimensions whose product exceeds 64 bits are an error */
struct s { int a[0x7fffffff][0x7fffffff][0x7fffffff]; int b; }; BEGIN { exit(0); }
