/* @tag: D_LQUANT_MATCHBASE
 * other base than earlier use */
BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10); }
