/* @tag: D_XLATE_NOCONV
 * @says: translator does not define conversion for member: q
 * @line: 5
 * using a member that the translator does not define is an error */
struct s { int i; }; struct d { int o; }; struct e { int o; int q; }; translator struct e < struct s *P > { o = 1; }; BEGIN { trace(xlate<struct e>((struct s *)0).q); }
