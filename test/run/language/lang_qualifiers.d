/*@
 * what:    declarations may contain const, volatile and restrict
 */
const int c; volatile int v; const char *const p; char *restrict r; int const w;
BEGIN { c = 1; v = 2; w = 3; printf("%d\n", c + v + w); exit(0); }
