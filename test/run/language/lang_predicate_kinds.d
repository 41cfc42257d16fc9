/*@
 * what:    integers, enums and pointers can be predicates
 */
enum colour { RED, GREEN } c;
BEGIN { c = GREEN; }
BEGIN /c/ { printf("enum\n"); }
BEGIN /curthread/ { printf("pointer\n"); }
BEGIN /NULL/ { printf("never\n"); }
BEGIN /!c/ { printf("never\n"); }
BEGIN { exit(0); }
