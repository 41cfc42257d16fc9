/* @tag: D_CG_EXPR
 * @says: aggregating function count( ) may not be called from a D expression (D program context required)
 * @line: 5
 * the value of an aggregating function: that it has none counts more than its type */
BEGIN { x = count(); }
