/*@
 * what:    trace() prints a struct as a byte dump
 * env:     DTRACE_REPRODUCIBLE=
 */
struct s { int a; char b[4]; };
struct s x;
BEGIN { x.a = 0x41424344; x.b[0] = (char)90; trace(x); exit(0); }
