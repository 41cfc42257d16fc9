/* @tag: D_PROTO_ARG
 * @says: request( ) argument #1 must be a number, a pointer or a string
 * @line: 5
 * request() of a struct, which cannot be the key of a request, is an error */
BEGIN { trace(request(*curthread)); }
