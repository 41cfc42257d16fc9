/* @tag: D_DECL_BFTYPE
 * @says: bit-field must be of integral type: a
 * @line: 5
 * a bit-field of a non-integer type is an error */
struct p { float a:3; }; BEGIN { exit(0); }
