/* @tag: D_PROTO_ARG
 * @says: printf( ) argument #1 is incompatible with prototype: | prototype: string constant | argument: int
 * @line: 5
 * a format that is no string */
BEGIN { printf(7); }
