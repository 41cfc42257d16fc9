/* @tag: D_DECL_BADCLASS
 * @says: specified storage class not appropriate in D
 * @line: 5
 * a storage class that D does not have, such as static, or that an inline does not allow is an error */
static int x; BEGIN { exit(0); }
