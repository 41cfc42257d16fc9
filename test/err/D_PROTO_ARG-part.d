/* @tag: D_PROTO_ARG
 * @says: timeof( ) argument #1 must be a string constant that names a part of the elapsed time
 * @line: 5
 * @hint: the names are: user kernel interrupt runq futex lock disk fault reclaim network pipe poll timer child signal other throttled stolen */
BEGIN { trace(timeof("cpu")); }
