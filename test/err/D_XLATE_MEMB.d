/* @tag: D_XLATE_MEMB
 * name not a member of the output type */
struct s { int i; }; struct d { int o; }; translator struct d < struct s *P > { zz = 1; }; BEGIN { exit(0); }
