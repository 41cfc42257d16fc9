/* @tag: D_PROTO_ARG
 * @says: request_begin( ) argument #1 must be a number, a pointer or a string
 * @line: 6
 * @hint: the argument identifies the request: for example a file descriptor, an address or an ID
 * request_begin() of a struct, which cannot be the key of a request, is an error */
BEGIN { request_begin(*curthread); }
