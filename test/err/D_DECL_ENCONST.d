/* @tag: D_DECL_ENCONST
 * @says: enumerator A must be assigned to an integral constant expression
 * @line: 5
 * enumerator value not INT */
enum e { A = "x" }; BEGIN { exit(0); }
