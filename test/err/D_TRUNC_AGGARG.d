/* @tag: D_TRUNC_AGGARG
 * @says: trunc( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: pid_t
 * @line: 5
 * trunc of a non-aggregation */
BEGIN { trunc(pid, 2); }
