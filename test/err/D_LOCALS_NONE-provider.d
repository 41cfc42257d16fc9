/* @tag: D_LOCALS_NONE
 * @says: the variables at syscall:vmlinux:read:entry are not known: only probes of provider pid have variables
 * @line: 5
 * probes of other providers have no variables */
syscall::read:entry { trace(locals->count); }
