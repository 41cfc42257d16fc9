/* @tag: D_ARGS_NONE
 * args[] outside a clause */
inline int a = args[0]; BEGIN { exit(0); }
