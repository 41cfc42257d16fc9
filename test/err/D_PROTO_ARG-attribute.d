/* @tag: D_PROTO_ARG
 * @says: ctxattr( ) argument #1 must be a string constant that names an attribute
 * @line: 4 */
BEGIN { trace(ctxattr(execname)); }
