/*@
 * what:    enumerators are integer constants
 */
enum colour { RED = 3, GREEN, BLUE = 10 };
BEGIN { printf("%d %d %d\n", RED, GREEN, BLUE); exit(0); }
