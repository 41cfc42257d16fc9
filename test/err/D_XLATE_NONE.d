/* @tag: D_XLATE_NONE
 * @says: translator from int to struct d is not defined
 * @line: 5
 * xlate between types without a translator is an error */
struct s { int i; }; struct d { int o; }; BEGIN { trace(xlate<struct d>(1).o); }
