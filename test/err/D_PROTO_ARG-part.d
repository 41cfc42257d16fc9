/* @tag: D_PROTO_ARG
 * @says: timeof( ) argument #1 must be a string constant that names a part of the elapsed time
 * @line: 6
 * @hint: the names are: user kernel interrupt runq futex lock disk fault reclaim network pipe poll timer child signal other throttled stolen
 * timeof() of a name that is not a part of the elapsed time is an error that lists the parts */
BEGIN { trace(timeof("cpu")); }
