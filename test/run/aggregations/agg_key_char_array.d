/*@
 * what:    char arrays that are equal up to the first NUL are the same aggregation key
 */
char name[4];
BEGIN { name[0] = 'a'; name[2] = 'x'; @[name] = count(); name[2] = 'y'; @[name] = count(); }
BEGIN { name[1] = 'b'; name[2] = 'c'; name[3] = 'd'; @[name] = count(); n[name] = 7; printf("%d\n", n[name]); exit(0); }
END { printa("%s %@d\n", @); }
