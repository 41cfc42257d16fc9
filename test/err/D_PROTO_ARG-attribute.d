/* @tag: D_PROTO_ARG
 * @says: ctxattr( ) argument #1 must be a string constant that names an attribute
 * @line: 5
 * ctxattr() of a name that is not a string constant is an error */
BEGIN { trace(ctxattr(execname)); }
