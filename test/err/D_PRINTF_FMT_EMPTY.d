/* @tag: D_PRINTF_FMT_EMPTY
 * @says: printf( ) format string is empty
 * @line: 5
 * empty format */
BEGIN { printf(""); }
