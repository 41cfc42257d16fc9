/*@
 * what:    a typedef and the predefined integer types have the sizes that C gives them
 */
typedef unsigned short port;
port p;
BEGIN { p = 65536 + 80; printf("%d %d %d\n", p, sizeof (port), sizeof (uint32_t)); exit(0); }
