#!/usr/sbin/dtrace -qs
/*@
 * what:    the compiler ignores a first line that begins with #!
 */
BEGIN { printf("yes\n"); exit(0); }
