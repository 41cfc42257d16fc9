/* @tag: D_ARGS_MULTI
 * args[] and the matched probes may differ in arguments (section 6) */
::: { trace(args[0]); }
