/*@
 * what:    system() runs when its record is read, in order with printed output
 * run:     -qws %file%
 */
BEGIN { printf("one\n"); system("echo %s %d", "two", 2 + 1); printf("four\n"); exit(0); }
