/* @tag: D_CLEAR_AGGARG
 * @says: clear( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: pid_t
 * @line: 5
 * clear of a non-aggregation */
BEGIN { clear(pid); }
