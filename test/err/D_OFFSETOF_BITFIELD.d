/* @tag: D_OFFSETOF_BITFIELD
 * @says: cannot take offset of a bit-field: a
 * @line: 5
 * member is a bit-field */
struct f { int a:3; }; BEGIN { trace(offsetof(struct f, a)); }
