/* @tag: D_DECL_ENOFLOW
 * value outside int */
enum e { A = 0x80000000 }; BEGIN { exit(0); }
