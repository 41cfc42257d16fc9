/* @tag: D_PROTO_ARG
 * @says: printf( ) argument #1 is incompatible with prototype: | prototype: string constant | argument: int
 * @line: 5
 * a format argument that is no string is an error */
BEGIN { printf(7); }
