/* @tag: D_DECL_INCOMPLETE
 * @says: incomplete struct/union/enum struct nowhere: v
 * @line: 5
 * object/member of incomplete type */
struct nowhere v; BEGIN { exit(0); }
