/* @tag: D_XLATE_MEMB
 * @says: translator member zz is not a member of struct d
 * @line: 5
 * name not a member of the output type */
struct s { int i; }; struct d { int o; }; translator struct d < struct s *P > { zz = 1; }; BEGIN { exit(0); }
