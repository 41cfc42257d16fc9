/* @tag: D_ARGS_MULTI
 * @says: args[ ] may not be referenced because probe description ::: matches an unstable set of probes
 * @line: 5
 * args[] and the matched probes may differ in arguments (section 6) */
::: { trace(args[0]); }
