/* @tag: D_LLQUANT_HMAGTYPE
 * hmag not INT */
BEGIN { @ = llquantize(1, 10, 0, pid, 10); }
