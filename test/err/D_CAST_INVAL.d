/* @tag: D_CAST_INVAL
 * @says: invalid cast expression: cannot cast "int" to "struct p"
 * @line: 5
 * a cast between incompatible types is an error */
struct p { int x; }; BEGIN { trace((struct p)3); }
