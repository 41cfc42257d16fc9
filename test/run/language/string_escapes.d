/*@
 * what:    string literals support escape sequences
 */
BEGIN { printf("%s\n", "a\tb\\c\"d\x41\102"); printf("%d\n", sizeof ("abc")); exit(0); }
