/* @tag: D_PROTO_ARG
 * @says: request( ) argument #1 must be a number, a pointer or a string
 * @line: 4 */
BEGIN { trace(request(*curthread)); }
