/* @tag: D_DECL_PARMCLASS
 * class on parameter */
int m[static int]; BEGIN { exit(0); }
