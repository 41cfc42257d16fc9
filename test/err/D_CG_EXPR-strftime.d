/* @tag: D_CG_EXPR
 * @says: the result of strftime( ) may not be used in a D expression: its text is only known when it is printed
 * @line: 5
 * strftime() inside an expression is an error, because its text is known only when it is printed */
BEGIN /strftime("%H", walltimestamp) == "12"/ { exit(0); }
