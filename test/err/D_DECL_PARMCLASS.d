/* @tag: D_DECL_PARMCLASS
 * @says: inappropriate storage class for function or associative array parameter
 * @line: 5
 * a storage class on a parameter is an error */
int m[static int]; BEGIN { exit(0); }
