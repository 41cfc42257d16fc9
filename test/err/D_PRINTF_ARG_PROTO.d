/* @tag: D_PRINTF_ARG_PROTO
 * conversion without argument */
BEGIN { printf("%d"); }
