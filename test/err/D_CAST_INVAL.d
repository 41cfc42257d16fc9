/* @tag: D_CAST_INVAL
 * @says: invalid cast expression: cannot cast "int" to "struct p"
 * @line: 5
 * impossible cast */
struct p { int x; }; BEGIN { trace((struct p)3); }
