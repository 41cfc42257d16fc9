/* @tag: D_PRINTF_AGG_CONV
 * @says: printf( ) conversion #1 uses %@ outside of printa( )
 * @line: 5
 * the conversion %@ outside printa() is an error */
BEGIN { printf("%@d", 1); }
