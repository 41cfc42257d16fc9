/* @tag: D_PROTO_ARG
 * @says: enumname( ) argument #1 must have an enumeration type, not int
 * @line: 6
 * @hint: if the number is of an enumeration, cast it: enumname((enum NAME)…)
 * enumname() of a value whose type is not an enum is an error */
BEGIN { trace(enumname(errno)); }
