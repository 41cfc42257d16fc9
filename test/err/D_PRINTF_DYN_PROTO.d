/* @tag: D_PRINTF_DYN_PROTO
 * * without argument */
BEGIN { printf("%*d"); }
