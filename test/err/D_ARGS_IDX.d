/* @tag: D_ARGS_IDX
 * @says: index 0 is out of range for dtrace:::BEGIN args[ ]
 * @line: 5
 * an args[] index beyond the probe's arguments is an error */
BEGIN { trace(args[0]); }
