/* @tag: D_DECL_PROTO_FORM
 * duplicate parameter name; output name unknown */
int m[int a, int a]; BEGIN { exit(0); }
