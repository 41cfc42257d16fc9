/* @tag: D_FUNC_IDKIND
 * called name is not a function */
BEGIN { pid(); }
