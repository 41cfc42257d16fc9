/* @tag: D_ARGS_IDX
 * index out of range for the probe */
BEGIN { trace(args[0]); }
