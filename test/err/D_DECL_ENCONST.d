/* @tag: D_DECL_ENCONST
 * enumerator value not INT */
enum e { A = "x" }; BEGIN { exit(0); }
