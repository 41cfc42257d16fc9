/* @tag: D_PROTO_ARG
 * @says: request_begin( ) argument #1 must be a number, a pointer or a text
 * @line: 5
 * @hint: it is the key that tells requests apart: a descriptor, an address, an id */
BEGIN { request_begin(*curthread); }
