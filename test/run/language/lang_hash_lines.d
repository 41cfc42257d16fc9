#!/usr/sbin/dtrace -qs
/*@
 * what:    lines with #ident, #line, a single # or an unknown #pragma compile and have no effect on the output
 */
#
#ident "version 1"
# 100 "other.d"
#line 200
#pragma ident "x"
#pragma unknown whatever
#pragma D ident "y"
BEGIN {
#pragma D option aggsortrev
	printf("ok\n"); exit(0);
}
