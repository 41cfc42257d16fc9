/* @tag: D_CG_EXPR
 * @says: aggregating function count( ) may not be called from a D expression (D program context required)
 * @line: 5
 * action or aggregating function where a value expression is required */
BEGIN { count(); }
