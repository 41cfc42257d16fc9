/* @tag: D_DECL_TYPERED
 * tag redefined */
struct p { int x; }; struct p { int y; }; BEGIN { exit(0); }
