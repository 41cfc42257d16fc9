/* @tag: D_OFFSETOF_TYPE
 * @says: offsetof operand must be a struct or union type
 * @line: 5
 * type not struct/union */
BEGIN { trace(offsetof(int, a)); }
