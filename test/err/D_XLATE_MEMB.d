/* @tag: D_XLATE_MEMB
 * @says: translator member zz is not a member of struct d
 * @line: 5
 * a translator member that the output type lacks is an error */
struct s { int i; }; struct d { int o; }; translator struct d < struct s *P > { zz = 1; }; BEGIN { exit(0); }
