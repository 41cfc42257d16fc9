#!/usr/sbin/dtrace -qs
/*@
 * what:    a first line that begins with #! is no part of the program
 */
BEGIN { printf("yes\n"); exit(0); }
