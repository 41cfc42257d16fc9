/*@
 * what:    strlen() of an address that cannot be read is 0
 */
BEGIN { printf("%d\n", strlen(stringof((char *)8))); exit(0); }
