/* @tag: D_PROTO_ARG
 * @says: exit( ) argument #1 is incompatible with prototype: | prototype: int | argument: string
 * @line: 5
 * an argument or key of the wrong type is an error */
BEGIN { exit("x"); }
