/* @tag: D_PROTO_ARG
 * @says: ctxattr( ) argument #1 must be the name of an attribute, as a text
 * @line: 4 */
BEGIN { trace(ctxattr(execname)); }
