/* @tag: D_DECL_VOIDOBJ
 * object, member, element or inline of type void */
void v; BEGIN { exit(0); }
