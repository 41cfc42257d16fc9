/* @tag: D_LLQUANT_MATCHSTEPS
 * other steps */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 6, 20); }
