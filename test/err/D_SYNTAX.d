/* @tag: D_SYNTAX
 * grammar error, bad character, unbalanced bracket, float constant, bad comment, malformed format string, description without body in a script */
BEGIN { x = ; }
