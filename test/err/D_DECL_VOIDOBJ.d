/* @tag: D_DECL_VOIDOBJ
 * @says: cannot have void object: v
 * @line: 5
 * an object, member, element or inline of type void is an error */
void v; BEGIN { exit(0); }
