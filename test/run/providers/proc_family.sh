#@ what:    proc probes fire in order when a process creates a child, executes a program, fails to execute one, and exits
#@ needs:   syscall
cat >$TMP/family.sh <<'S'
/bin/true
sh -c 'kill -9 $$' 2>/dev/null
/bin/nosuch 2>/dev/null
kill -URG $$
S
cat >$TMP/family.d <<'D'
proc:::create,proc:::start,proc:::exec,proc:::exec-success,proc:::exec-failure,proc:::exit /pid == $target || progenyof($target)/
{
	printf("%s %s %s\n", probename, execname, pid == $target ? "target" : "child");
}
proc:::create /pid == $target/ { printf("  child %d %s\n", args[0]->pr_ppid == $target, args[0]->pr_fname); }
proc:::exec /progenyof($target)/ { printf("  path %s\n", args[0]); }
proc:::exec-success /progenyof($target)/ { printf("  %s\n", curpsinfo->pr_psargs); }
proc:::exec-failure /progenyof($target)/ { printf("  %d\n", args[0] == -ENOENT); }
proc:::exit /pid == $target || progenyof($target)/ { printf("  reason %d\n", args[0]); }
proc:::signal-send,proc:::signal-discard /args[1]->pr_pid == $target || args[1]->pr_ppid == $target/
{
	printf("%s %d to %s\n", probename, args[2], args[1]->pr_pid == $target ? "target" : "child");
}
proc:::signal-handle /pid == $target/ { printf("%s %d %d\n", probename, args[0], arg2 != 0); }
D
$DTRACE -qs $TMP/family.d -c "sh $TMP/family.sh" | sed '/^$/d; s,path /usr/bin,path /bin,'
