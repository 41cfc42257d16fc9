#!/usr/sbin/dtrace -qs
/*@
 * what:    lines that begin with # and are nothing: ident, line, an empty one
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
