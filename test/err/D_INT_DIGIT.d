/* @tag: D_INT_DIGIT
 * @says: integer constant 089 contains invalid digit 8
 * @line: 5
 * an invalid digit in an octal constant is an error */
BEGIN { trace(089); }
