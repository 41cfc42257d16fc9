/* @tag: D_DECL_ARRBIG
 * @says: an array may have 1152921504606846975 bytes at most
 * @line: 5
 * no dimension is too large, their product is more than 64 bits hold */
struct s { int a[0x7fffffff][0x7fffffff][0x7fffffff]; int b; }; BEGIN { exit(0); }
