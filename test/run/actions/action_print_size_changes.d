/*@
 * what:    setopt() can raise and lower printsize while tracing
 * run:     -x printsize=8 -qs %file%
 */
struct s { int a; int b; int c; int d; };
BEGIN { p = (struct s *)alloca(sizeof (struct s)); p->a = 1; p->b = 2; p->c = 3; p->d = 4; print(p); }
BEGIN { setopt("printsize", "16"); }
BEGIN { p = (struct s *)alloca(sizeof (struct s)); p->a = 1; p->b = 2; p->c = 3; p->d = 4; print(p); }
BEGIN { setopt("printsize", "8"); }
BEGIN { p = (struct s *)alloca(sizeof (struct s)); p->a = 1; p->b = 2; p->c = 3; p->d = 4; print(p); exit(0); }
