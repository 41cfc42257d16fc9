/* @tag: D_DECL_DYNOBJ
 * associative array inside another type */
struct p { int m[string]; }; BEGIN { exit(0); }
