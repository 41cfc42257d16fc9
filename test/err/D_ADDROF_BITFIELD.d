/* @tag: D_ADDROF_BITFIELD
 * & of bit-field */
struct f { int a:3; } v; BEGIN { trace(&v.a); }
