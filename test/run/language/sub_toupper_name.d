/*@
 * what:    a program may declare its own variable named tolower
 */
int tolower;
BEGIN { tolower = 3; printf("%d\n", tolower); exit(0); }
