/* @tag: D_SYNTAX
 * @says: syntax error near ";"
 * @line: 5
 * grammar error, bad character, unbalanced bracket, float constant, bad comment, malformed format string, description without body in a script */
BEGIN { x = ; }
