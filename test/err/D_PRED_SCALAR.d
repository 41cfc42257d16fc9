/* @tag: D_PRED_SCALAR
 * predicate not scalar */
BEGIN /execname/ { }
