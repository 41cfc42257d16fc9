/* @tag: D_PRINTF_ARG_EXTRA
 * too many arguments */
BEGIN { printf("hi", 1); }
