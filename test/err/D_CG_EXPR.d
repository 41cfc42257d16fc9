/* @tag: D_CG_EXPR
 * @says: aggregating function count( ) may not be called from a D expression (D program context required)
 * @line: 5
 * an action or aggregating function used as a value expression is an error */
BEGIN { count(); }
