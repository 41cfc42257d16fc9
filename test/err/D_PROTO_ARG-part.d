/* @tag: D_PROTO_ARG
 * @says: timeof( ) argument #1 must be the name of a part of the time, as a text
 * @line: 5
 * @hint: they are: user kernel interrupt runq futex lock disk fault reclaim network pipe poll timer child signal other throttled stolen */
BEGIN { trace(timeof("cpu")); }
