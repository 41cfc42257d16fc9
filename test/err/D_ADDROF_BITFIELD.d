/* @tag: D_ADDROF_BITFIELD
 * @says: cannot take address of bit-field
 * @line: 5
 * taking the address of a bit-field is an error */
struct f { int a:3; } v; BEGIN { trace(&v.a); }
