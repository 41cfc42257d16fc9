/* @tag: D_STRINGOF_TYPE
 * @says: cannot convert type "struct p" to string
 * @line: 5
 * operand not scalar/pointer/char array */
struct p { int x; } v; BEGIN { trace(stringof(v)); }
