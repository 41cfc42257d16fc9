#!/usr/sbin/dtrace -qs
/*@
 * what:    lines such as #ident, #line, a single # and unknown pragmas are accepted and have no effect on the output
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
