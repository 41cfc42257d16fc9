/*@
 * what:    traceid and spanid are what each thread says it works for (OTEP 4947); "" where it says nothing, or that its record does not hold
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid, spanid, strlen(traceid) + strlen(spanid)] = count(); }
syscall::getppid:entry /pid == $target && traceid == ""/ { @none[spanid == "" ? "nothing" : "something"] = count(); }
END { printa("trace %s span %s: %d digits, %@d\n", @); printa("%s %@d\n", @none); }
