/* @tag: D_LQUANT_STEPLARGE
 * (limit-base)/step is 0 */
BEGIN { @ = lquantize(1, 0, 10, 20); }
