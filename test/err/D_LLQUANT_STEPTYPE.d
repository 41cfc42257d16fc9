/* @tag: D_LLQUANT_STEPTYPE
 * steps not a positive INT */
BEGIN { @ = llquantize(1, 10, 0, 6, pid); }
