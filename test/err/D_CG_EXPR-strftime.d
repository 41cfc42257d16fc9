/* @tag: D_CG_EXPR
 * @says: the result of strftime( ) may not be used in a D expression: its text is only known when it is printed
 * @line: 5
 * the text of a time is an error inside an expression */
BEGIN /strftime("%H", walltimestamp) == "12"/ { exit(0); }
