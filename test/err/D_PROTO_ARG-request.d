/* @tag: D_PROTO_ARG
 * @says: request_begin( ) argument #1 must be a number, a pointer or a string
 * @line: 5
 * @hint: the argument identifies the request: for example a file descriptor, an address or an ID */
BEGIN { request_begin(*curthread); }
