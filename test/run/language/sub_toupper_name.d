/*@
 * what:    a program may declare a variable named tolower, although D has a function of this name
 */
int tolower;
BEGIN { tolower = 3; printf("%d\n", tolower); exit(0); }
