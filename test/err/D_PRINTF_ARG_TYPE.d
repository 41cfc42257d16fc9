/* @tag: D_PRINTF_ARG_TYPE
 * argument type does not fit conversion */
BEGIN { printf("%d", "s"); }
