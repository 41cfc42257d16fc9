/* @tag: D_PRINTF_ARG_TYPE
 * @says: printf( ) argument #2 is incompatible with conversion #1 prototype: | conversion: %d | prototype: char, short, int, long, or long long | argument: string
 * @line: 5
 * argument type does not fit conversion */
BEGIN { printf("%d", "s"); }
