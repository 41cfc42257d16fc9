/* @tag: D_SYNTAX
 * @says: syntax error near ";"
 * @line: 5
 * a grammar error, invalid character, unbalanced bracket, malformed comment or malformed format is an error */
BEGIN { x = ; }
