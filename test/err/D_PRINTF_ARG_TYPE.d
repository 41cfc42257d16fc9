/* @tag: D_PRINTF_ARG_TYPE
 * @says: printf( ) argument #2 is incompatible with conversion #1 prototype: | conversion: %d | prototype: char, short, int, long, or long long | argument: string
 * @line: 5
 * an argument whose type does not fit its conversion is an error */
BEGIN { printf("%d", "s"); }
