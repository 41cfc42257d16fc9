/* @tag: D_DECL_ENOFLOW
 * @says: enumerator A value overflows INT_MAX
 * @line: 5
 * an enumerator value outside the range of int is an error */
enum e { A = 0x80000000 }; BEGIN { exit(0); }
