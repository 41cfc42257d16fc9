/* @tag: D_PRED_SCALAR
 * @says: predicate result must be of scalar type
 * @line: 5
 * predicate not scalar */
BEGIN /execname/ { }
