/* @tag: D_DECL_BFTYPE
 * @says: bit-field must be of integral type: a
 * @line: 5
 * base type not integer */
struct p { float a:3; }; BEGIN { exit(0); }
