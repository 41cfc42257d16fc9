/*@
 * what:    speculate() of an inactive id ends its clause silently, but statements before it keep their effect
 */
BEGIN { a = 1; speculate(0); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(1); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(2); b = 1; printf("not here\n"); }
BEGIN { a++; speculate(-1); b = 1; printf("not here\n"); }
BEGIN { printf("%d %d\n", a, b); exit(0); }
