/* @tag: D_DECL_BADCLASS
 * class not usable in D / on inline */
static int x; BEGIN { exit(0); }
