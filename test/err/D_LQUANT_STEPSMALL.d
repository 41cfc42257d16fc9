/* @tag: D_LQUANT_STEPSMALL
 * (limit-base)/step > 65535 */
BEGIN { @ = lquantize(1, 0, 100000, 1); }
