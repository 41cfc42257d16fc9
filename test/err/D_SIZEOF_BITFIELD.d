/* @tag: D_SIZEOF_BITFIELD
 * @says: cannot apply sizeof to a bit-field
 * @line: 5
 * sizeof of a bit-field is an error */
struct f { int a:3; } v; BEGIN { trace(sizeof(v.a)); }
