/* @tag: D_TRUNC_AGGARG
 * @says: trunc( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: pid_t
 * @line: 5
 * trunc() of anything but an aggregation is an error */
BEGIN { trunc(pid, 2); }
