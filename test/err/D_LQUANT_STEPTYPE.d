/* @tag: D_LQUANT_STEPTYPE
 * step not a positive INT */
BEGIN { @ = lquantize(1, 0, 10, pid); }
