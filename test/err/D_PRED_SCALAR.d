/* @tag: D_PRED_SCALAR
 * @says: predicate result must be of scalar type
 * @line: 5
 * a predicate that is not scalar is an error */
BEGIN /execname/ { }
