/* @tag: D_FUNC_IDKIND
 * @says: call to pid( ): it is a variable, not a function
 * @line: 5
 * calling a name that is no function is an error */
BEGIN { pid(); }
