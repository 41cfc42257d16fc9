/*@
 * what:    speculate() of an id that is not active ends the clause in silence; what ran before it has run
 */
BEGIN { a = 1; speculate(0); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(1); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(2); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(-1); b = 1; printf("not here\n"); }
BEGIN { printf("%d %d\n", a, b); exit(0); }
