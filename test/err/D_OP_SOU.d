/* @tag: D_OP_SOU
 * @says: operator . cannot be applied to type "int"; must be applied to a struct or union
 * @line: 5
 * . on non-struct, -> on pointer to non-struct */
BEGIN { x = 4; trace(x.y); }
