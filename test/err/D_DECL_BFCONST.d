/* @tag: D_DECL_BFCONST
 * @says: positive integral constant expression expected as bit-field size: a
 * @line: 5
 * width not a positive INT */
struct p { int a:-1; }; BEGIN { exit(0); }
