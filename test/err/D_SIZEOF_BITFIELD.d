/* @tag: D_SIZEOF_BITFIELD
 * operand is a bit-field */
struct f { int a:3; } v; BEGIN { trace(sizeof(v.a)); }
