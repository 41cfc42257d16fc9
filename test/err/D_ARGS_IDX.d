/* @tag: D_ARGS_IDX
 * @says: index 0 is out of range for dtrace:::BEGIN args[ ]
 * @line: 5
 * index out of range for the probe */
BEGIN { trace(args[0]); }
