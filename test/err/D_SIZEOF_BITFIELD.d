/* @tag: D_SIZEOF_BITFIELD
 * @says: cannot apply sizeof to a bit-field
 * @line: 5
 * operand is a bit-field */
struct f { int a:3; } v; BEGIN { trace(sizeof(v.a)); }
