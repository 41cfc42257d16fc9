/* @tag: D_LLQUANT_FACTORVAL
 * factor < 2 or > 65535 */
BEGIN { @ = llquantize(1, 1, 0, 6, 10); }
