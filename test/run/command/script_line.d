#!/usr/sbin/dtrace -qs
/*@
 * what:    a first line that begins with #! is ignored by the compiler
 */
BEGIN { printf("yes\n"); exit(0); }
