/* @tag: D_LLQUANT_LMAGTYPE
 * lmag not INT */
BEGIN { @ = llquantize(1, 10, pid, 6, 10); }
