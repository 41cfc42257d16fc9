#!/usr/sbin/dtrace -qs
/*@
 * what:    the compiler ignores the first line of a script if it begins with #!
 */
BEGIN { printf("yes\n"); exit(0); }
