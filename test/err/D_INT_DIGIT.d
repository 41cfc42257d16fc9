/* @tag: D_INT_DIGIT
 * @says: integer constant 089 contains invalid digit 8
 * @line: 5
 * bad octal digit */
BEGIN { trace(089); }
