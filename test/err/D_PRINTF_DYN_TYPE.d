/* @tag: D_PRINTF_DYN_TYPE
 * * argument not integer */
BEGIN { printf("%*d", "w", 1); }
