/* @tag: D_OP_SOU
 * @says: operator . cannot be applied to type "int"; must be applied to a struct or union
 * @line: 5
 * the operator . on a value that is no struct or union, or -> on a pointer to another type, is an error */
BEGIN { x = 4; trace(x.y); }
