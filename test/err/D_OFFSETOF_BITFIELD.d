/* @tag: D_OFFSETOF_BITFIELD
 * member is a bit-field */
struct f { int a:3; }; BEGIN { trace(offsetof(struct f, a)); }
