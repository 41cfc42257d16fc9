/* @tag: D_DECL_INCOMPLETE
 * object/member of incomplete type */
struct nowhere v; BEGIN { exit(0); }
