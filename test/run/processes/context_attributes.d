/*@
 * what:    ctxattr() reads an attribute of the thread's published context by name, and returns "" if it is absent
 * needs:   syscall
 * trigger: %progs%/contexts_loaded %progs%/libcontext_module.so
 * run:     -qs %file% -p %pid%
 * expect:  exact
 */
syscall::getppid:entry /pid == $target && ctxattr("user") != ""/
{
	printf("%s|%s|%s|%s\n", ctxattr("http.route"), ctxattr("user"), ctxattr("empty"), ctxattr("nothing"));
	exit(0);
}
