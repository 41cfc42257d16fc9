/* @tag: D_PROTO_ARG
 * @says: enumname( ) argument #1 must have an enumeration type, not int
 * @line: 5
 * @hint: if the number is of an enumeration, cast it: enumname((enum NAME)…) */
BEGIN { trace(enumname(errno)); }
