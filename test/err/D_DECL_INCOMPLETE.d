/* @tag: D_DECL_INCOMPLETE
 * @says: incomplete struct/union/enum struct nowhere: v
 * @line: 5
 * an object or member of incomplete type is an error */
struct nowhere v; BEGIN { exit(0); }
