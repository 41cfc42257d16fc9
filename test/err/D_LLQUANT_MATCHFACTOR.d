/* @tag: D_LLQUANT_MATCHFACTOR
 * other factor than earlier use */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 20, 0, 6, 20); }
