/* @tag: D_OP_SOU
 * @says: operator . cannot be applied to type "int"; must be applied to a struct or union
 * @line: 5
 * a . on a value that is no struct, or a -> on a pointer to no struct, is an error */
BEGIN { x = 4; trace(x.y); }
