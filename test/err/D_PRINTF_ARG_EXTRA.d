/* @tag: D_PRINTF_ARG_EXTRA
 * @says: printf( ) prototype mismatch: only 1 arguments required by this format string
 * @line: 5
 * printf() with more arguments than conversions is an error */
BEGIN { printf("hi", 1); }
