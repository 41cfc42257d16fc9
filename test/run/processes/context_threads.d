/*@
 * what:    traceid and spanid are the ids that the current thread publishes (OTEP 4947), and "" if it publishes none
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid, spanid, strlen(traceid) + strlen(spanid)] = count(); }
syscall::getppid:entry /pid == $target && traceid == ""/ { @none[spanid == "" ? "nothing" : "something"] = count(); }
END { printa("trace %s span %s: %d digits, %@d\n", @); printa("%s %@d\n", @none); }
