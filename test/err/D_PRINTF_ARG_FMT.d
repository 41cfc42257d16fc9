/* @tag: D_PRINTF_ARG_FMT
 * @says: printf( ) argument #1 is incompatible with prototype: | prototype: string constant | argument: string
 * @line: 5
 * a printf() format that is no string literal is an error */
BEGIN { printf(execname); }
