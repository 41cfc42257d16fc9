/* @tag: D_INT_DIGIT
 * bad octal digit */
BEGIN { trace(089); }
