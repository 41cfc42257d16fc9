/* @tag: D_ARGS_NONE
 * @says: args[ ] may not be referenced outside of a probe clause
 * @line: 5
 * args[] outside a clause is an error */
inline int a = args[0]; BEGIN { exit(0); }
