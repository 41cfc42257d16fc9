/*@
 * what:    with -n, a type name before a declarator starts a declaration, and a matching pattern a probe description
 * run:     -qn 'int64_t n; uint8_t c[10]; ipaddr_t *p; boolean_t b; in6_addr_t *q; BEGIN { n = 5; c[1] = 6; printf("%d %d\n", n, c[1]); }' -Zn 'int* { }' -s %file%
 */
BEGIN { exit(0); }
