/* @tag: D_XLATE_NOCONV
 * @says: translator does not define conversion for member: q
 * @line: 5
 * member not defined by the translator */
struct s { int i; }; struct d { int o; }; struct e { int o; int q; }; translator struct e < struct s *P > { o = 1; }; BEGIN { trace(xlate<struct e>((struct s *)0).q); }
