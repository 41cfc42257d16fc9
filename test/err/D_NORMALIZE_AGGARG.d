/* @tag: D_NORMALIZE_AGGARG
 * @says: normalize( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: pid_t
 * @line: 5
 * normalize() or denormalize() of anything but an aggregation is an error */
BEGIN { normalize(pid, 2); }
