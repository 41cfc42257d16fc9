/* @tag: D_PRINTF_AGG_CONV
 * @says: printf( ) conversion #1 uses %@ outside of printa( )
 * @line: 5
 * %@ outside printa */
BEGIN { printf("%@d", 1); }
