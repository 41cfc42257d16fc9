/* @tag: D_CG_EXPR
 * @says: aggregating function count( ) may not be called from a D expression (D program context required)
 * @line: 5
 * an aggregating function used as a value is error D_CG_EXPR and not a type error */
BEGIN { x = count(); }
