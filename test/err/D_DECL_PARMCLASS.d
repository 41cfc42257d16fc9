/* @tag: D_DECL_PARMCLASS
 * @says: inappropriate storage class for function or associative array parameter
 * @line: 5
 * class on parameter */
int m[static int]; BEGIN { exit(0); }
