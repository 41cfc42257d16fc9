/* @tag: D_CLEAR_AGGARG
 * @says: clear( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: pid_t
 * @line: 5
 * clear() of anything but an aggregation is an error */
BEGIN { clear(pid); }
