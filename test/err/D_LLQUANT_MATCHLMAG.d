/* @tag: D_LLQUANT_MATCHLMAG
 * other lmag */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 1, 6, 10); }
