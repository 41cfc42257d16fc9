/* @tag: D_DECL_BADCLASS
 * @says: specified storage class not appropriate in D
 * @line: 5
 * class not usable in D / on inline */
static int x; BEGIN { exit(0); }
