/* @tag: D_XLATE_REDECL
 * @says: translator from struct s * to struct d has already been declared
 * @line: 5
 * a second translator for the same pair of types is an error */
struct s { int i; }; struct d { int o; }; translator struct d < struct s *P > { o = P->i; }; translator struct d < struct s *P > { o = 1; }; BEGIN { exit(0); }
