/* @tag: D_FUNC_UNDEF
 * @says: undefined function name: frob
 * @line: 5
 * called name unknown, or known subroutine without implementation */
BEGIN { frob(1); }
