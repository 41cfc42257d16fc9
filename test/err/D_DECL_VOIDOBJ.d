/* @tag: D_DECL_VOIDOBJ
 * @says: cannot have void object: v
 * @line: 5
 * object, member, element or inline of type void */
void v; BEGIN { exit(0); }
