/*@
 * what:    tolower is a weak name: a program may declare its own
 */
int tolower;
BEGIN { tolower = 3; printf("%d\n", tolower); exit(0); }
