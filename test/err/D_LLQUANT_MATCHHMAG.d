/* @tag: D_LLQUANT_MATCHHMAG
 * other hmag */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 7, 10); }
