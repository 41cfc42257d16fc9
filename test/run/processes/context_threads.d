/*@
 * what:    traceid and spanid are the ids that each thread publishes (OTEP 4947), and "" without a valid record
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid, spanid, strlen(traceid) + strlen(spanid)] = count(); }
syscall::getppid:entry /pid == $target && traceid == ""/ { @none[spanid == "" ? "nothing" : "something"] = count(); }
END { printa("trace %s span %s: %d digits, %@d\n", @); printa("%s %@d\n", @none); }
