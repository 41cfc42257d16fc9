/*@
 * what:    a clause runs only if its predicate is nonzero
 */
BEGIN /0/ { printf("no\n"); }
BEGIN /1/ { printf("one\n"); }
BEGIN /-1/ { printf("minus one\n"); }
BEGIN /2 > 3/ { printf("no\n"); }
BEGIN /256/ { printf("256\n"); }
BEGIN /0x100000000/ { printf("beyond 32 bits\n"); }
BEGIN { exit(0); }
