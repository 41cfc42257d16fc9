/* @tag: D_DECL_ENCONST
 * @says: enumerator A must be assigned to an integral constant expression
 * @line: 5
 * an enumerator value that is no integer constant is an error */
enum e { A = "x" }; BEGIN { exit(0); }
