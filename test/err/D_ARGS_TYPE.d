/* @tag: D_ARGS_TYPE
 * @says: failed to resolve native type for args[1]: nosuch_t
 * @line: 5
 * argument type cannot be resolved */
demo:::unknown-type { trace(args[1]); }
