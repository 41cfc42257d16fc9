/* @tag: D_FUNC_UNDEF
 * @says: undefined function name: frob
 * @line: 5
 * calling an unknown name, or a subroutine without implementation, is an error */
BEGIN { frob(1); }
