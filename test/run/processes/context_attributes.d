/*@
 * what:    ctxattr(NAME) returns an attribute that the current thread publishes in its OpenTelemetry context, and "" for an unknown name
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
