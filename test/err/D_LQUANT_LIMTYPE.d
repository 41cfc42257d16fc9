/* @tag: D_LQUANT_LIMTYPE
 * limit not INT */
BEGIN { @ = lquantize(1, 0, pid); }
