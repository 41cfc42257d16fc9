/* @tag: D_OFFSETOF_TYPE
 * @says: offsetof operand must be a struct or union type
 * @line: 5
 * offsetof() of a type that is no struct or union is an error */
BEGIN { trace(offsetof(int, a)); }
