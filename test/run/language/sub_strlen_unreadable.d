/*@
 * what:    strlen() of an unreadable address returns 0
 */
BEGIN { printf("%d\n", strlen(stringof((char *)8))); exit(0); }
