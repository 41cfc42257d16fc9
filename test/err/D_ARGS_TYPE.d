/* @tag: D_ARGS_TYPE
 * @says: failed to resolve native type for args[1]: nosuch_t
 * @line: 5
 * an argument type that cannot be resolved is an error */
demo:::unknown-type { trace(args[1]); }
