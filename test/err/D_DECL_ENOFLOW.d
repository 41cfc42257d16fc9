/* @tag: D_DECL_ENOFLOW
 * @says: enumerator A value overflows INT_MAX
 * @line: 5
 * value outside int */
enum e { A = 0x80000000 }; BEGIN { exit(0); }
