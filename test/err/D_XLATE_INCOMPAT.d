/* @tag: D_XLATE_INCOMPAT
 * @says: translator member o definition uses incompatible types: "int" = "string"
 * @line: 5
 * a translator member whose expression has the wrong type is an error */
struct s { int i; }; struct d { int o; }; translator struct d < struct s *P > { o = "x"; }; BEGIN { exit(0); }
