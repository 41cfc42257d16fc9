/* @tag: D_ARGS_TYPE
 * @message: native type for args\[1\]
 * argument type cannot be resolved */
demo:::unknown-type { trace(args[1]); }
