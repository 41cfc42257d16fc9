/*@
 * what:    system() runs its command when the tracer reads the record, in order with printed output
 * run:     -qws %file%
 */
BEGIN { printf("one\n"); system("echo %s %d", "two", 2 + 1); printf("four\n"); exit(0); }
