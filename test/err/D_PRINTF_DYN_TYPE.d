/* @tag: D_PRINTF_DYN_TYPE
 * @says: printf( ) argument #2 is incompatible with conversion #1 prototype: | conversion: % * d | prototype: int | argument: string
 * @line: 5
 * a * width or precision argument that is no integer is an error */
BEGIN { printf("%*d", "w", 1); }
