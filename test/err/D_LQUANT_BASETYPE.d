/* @tag: D_LQUANT_BASETYPE
 * base not INT */
BEGIN { @ = lquantize(1, pid, 10); }
