/* @tag: D_PRINTF_FMT_EMPTY
 * empty format */
BEGIN { printf(""); }
