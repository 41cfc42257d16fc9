/* @tag: D_DECL_DYNOBJ
 * @says: cannot have an associative array inside another type: m
 * @line: 5
 * associative array inside another type */
struct p { int m[string]; }; BEGIN { exit(0); }
