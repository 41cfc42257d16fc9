/* @tag: D_DECL_DYNOBJ
 * @says: cannot have an associative array inside another type: m
 * @line: 5
 * an associative array inside another type is an error */
struct p { int m[string]; }; BEGIN { exit(0); }
