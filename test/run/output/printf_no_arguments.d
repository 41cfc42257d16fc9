/*@
 * what:    printf() prints a format without conversions
 */
BEGIN { printf("plain\n"); printf("tab\there, quote \", backslash \\, octal \101\n"); exit(0); }
