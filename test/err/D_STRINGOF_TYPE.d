/* @tag: D_STRINGOF_TYPE
 * @says: cannot convert type "struct p" to string
 * @line: 5
 * stringof() of a value that is no scalar, pointer or char array is an error */
struct p { int x; } v; BEGIN { trace(stringof(v)); }
