/* @tag: D_LLQUANT_FACTORTYPE
 * factor not INT */
BEGIN { @ = llquantize(1, pid, 0, 6, 10); }
