/* @tag: D_LQUANT_STEPVAL
 * step > 65535 */
BEGIN { @ = lquantize(1, 0, 100000, 70000); }
