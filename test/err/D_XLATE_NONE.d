/* @tag: D_XLATE_NONE
 * @says: translator from int to struct d is not defined
 * @line: 5
 * no translator for the types */
struct s { int i; }; struct d { int o; }; BEGIN { trace(xlate<struct d>(1).o); }
