/* @tag: D_PRINTF_ARG_FMT
 * format not a string literal */
BEGIN { printf(execname); }
