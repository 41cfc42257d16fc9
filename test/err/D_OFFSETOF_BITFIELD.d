/* @tag: D_OFFSETOF_BITFIELD
 * @says: cannot take offset of a bit-field: a
 * @line: 5
 * offsetof() of a bit-field is an error */
struct f { int a:3; }; BEGIN { trace(offsetof(struct f, a)); }
