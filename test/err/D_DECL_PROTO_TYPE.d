/* @tag: D_DECL_PROTO_TYPE
 * void/dynamic parameter where not allowed */
int m[void]; BEGIN { exit(0); }
