/* @tag: D_STRINGOF_TYPE
 * operand not scalar/pointer/char array */
struct p { int x; } v; BEGIN { trace(stringof(v)); }
