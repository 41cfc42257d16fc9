/* @tag: D_DECL_ARRBIG
 * @says: struct s would have more than 1152921504606846975 bytes with its member c
 * @line: 5
 * a struct above the size limit is an error, even if each of its arrays is below the limit */
struct s { char a[0x7fffffff][0x10000000]; char b[0x7fffffff][0x10000000]; char c[0x7fffffff][0x10000000]; };
BEGIN { exit(0); }
