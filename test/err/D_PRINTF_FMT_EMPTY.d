/* @tag: D_PRINTF_FMT_EMPTY
 * @says: printf( ) format string is empty
 * @line: 5
 * an empty printf() format is an error */
BEGIN { printf(""); }
