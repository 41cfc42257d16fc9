#@ what:    -v reports the stability attributes of expressions that dtrace-language(7), STABILITY, specifies
#@ needs:   syscall host
# Prints the three values below "Minimum Statement Attributes" in the report about one clause.
show()
{
    "$DTRACE" -e -v -n "$1" >"$TMP/out" 2>&1 || cat "$TMP/out"
    printf '%s: %s\n' "$1" "$(sed -n '/Minimum Statement/,/^$/s/.*: *//p' "$TMP/out" | paste -sd/)"
}
while read -r clause; do
    show "$clause"
done <<'END'
BEGIN
BEGIN { x = 1; trace(x + sizeof(struct task_struct)); }
BEGIN { trace((pid_t)1); }
BEGIN { trace(curthread); }
BEGIN { trace(curthread->pid + 1); }
BEGIN { trace(pid ? curthread->pid : 0); }
BEGIN { @[curthread->pid] = count(); }
BEGIN { m[curthread->pid] = 1; }
BEGIN { if (pid) { trace(1); } else { trace(curthread->pid); } }
BEGIN /curthread->pid/ { }
BEGIN { } BEGIN /curthread->pid/ { } BEGIN { trace(1); }
BEGIN { trace(((struct task_struct *)0)->pid); }
BEGIN { trace(htons(1)); }
BEGIN { trace(curthread->pid + getmajor(1)); }
BEGIN { trace(strlen(execname)); }
BEGIN { trace(curpsinfo->pr_pid); }
inline int mine = curthread->pid; BEGIN { trace(1); }
inline int mine = curthread->pid; BEGIN { trace(mine); }
dtrace:::BEGIN { trace(probeprov); }
dtrace:::BEGIN { trace(probemod); }
dtrace:::BEGIN { trace(probename); }
syscall::read:entry { trace(probefunc); }
syscall::read:entry { trace(probename); }
syscall::read:entry { trace(arg0); }
syscall::read:entry { trace(args[0]); }
END
