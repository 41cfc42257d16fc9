/* @tag: D_DECL_BFCONST
 * @says: positive integral constant expression expected as bit-field size: a
 * @line: 5
 * a bit-field width that is no positive integer is an error */
struct p { int a:-1; }; BEGIN { exit(0); }
