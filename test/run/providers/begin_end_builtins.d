/*@
 * what:    built-in variables have their documented values in BEGIN and END
 */
BEGIN { printf("%d %d %s\n", pid == $pid, ppid == $ppid, execname); }
BEGIN { printf("[%s][%s][%s][%s] %d\n", probeprov, probemod, probefunc, probename, id); }
BEGIN { printf("%d %d %d %d\n", arg0, arg1, arg9, errno); exit(0); }
END { printf("[%s][%s][%s][%s] %d %d\n", probeprov, probemod, probefunc, probename, id, pid == $pid); }
