/* @tag: D_XLATE_NONE
 * no translator for the types */
struct s { int i; }; struct d { int o; }; BEGIN { trace(xlate<struct d>(1).o); }
