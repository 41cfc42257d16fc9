/*@
 * what:    with -n, a program may begin with declarations that start with a type name such as int64_t
 * run:     -qn 'int64_t n; uint8_t c[10]; ipaddr_t *p; boolean_t b; in6_addr_t *q; BEGIN { n = 5; c[1] = 6; printf("%d %d\n", n, c[1]); }' -Zn 'int* { }' -s %file%
 */
BEGIN { exit(0); }
