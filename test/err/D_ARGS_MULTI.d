/* @tag: D_ARGS_MULTI
 * @says: args[ ] may not be referenced because probe description ::: matches an unstable set of probes
 * @line: 5
 * args[] is an error if the matched probes may differ in arguments (dtrace-errors(7), D_ARGS_MULTI) */
::: { trace(args[0]); }
