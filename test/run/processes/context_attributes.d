/*@
 * what:    ctxattr() is the attribute of that name in the thread's context, by the names that the process publishes; "" where there is none
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
