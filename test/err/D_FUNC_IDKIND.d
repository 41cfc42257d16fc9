/* @tag: D_FUNC_IDKIND
 * @says: call to pid( ): it is a variable, not a function
 * @line: 5
 * called name is not a function */
BEGIN { pid(); }
