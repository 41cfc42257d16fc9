/* @tag: D_PROTO_ARG
 * @says: exit( ) argument #1 is incompatible with prototype: | prototype: int | argument: string
 * @line: 5
 * argument/key of wrong type */
BEGIN { exit("x"); }
