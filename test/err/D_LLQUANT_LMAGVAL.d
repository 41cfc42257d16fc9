/* @tag: D_LLQUANT_LMAGVAL
 * lmag > 65535 */
BEGIN { @ = llquantize(1, 10, 70000, 6, 10); }
