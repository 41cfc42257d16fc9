#@ what:    a user with CAP_BPF and CAP_PERFMON can trace functions of their own process if --doctor reports uprobe or uprobe-multi as working; otherwise the error names CAP_SYS_ADMIN
#@ needs:   syscall
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace"
cd /
ulimit -l unlimited 2>/dev/null # before Linux 5.11, maps count toward it
both=-all,+bpf,+perfmon
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || both=$both,+sys_admin
as_user() # ARGUMENTS…: runs dtrace as an ordinary user who has only these capabilities
{
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$both --ambient-caps=$both --bounding-set=$both "$TMP/dtrace" "$@"
}
as_user --doctor -x format=jsonl >"$TMP/doctor"
works=$(grep -E '"name":"uprobe(-multi)?"' "$TMP/doctor" | grep -c '"works":true')
as_user -qn 'pid$target:libc.so*:exit:entry { printf("traced\n"); }' -c /bin/true >"$TMP/out" 2>"$TMP/err"
if [ "$works" -gt 0 ]; then
    grep -h '^traced' "$TMP/out" || cat "$TMP/err"
else
    grep -q 'CAP_SYS_ADMIN' "$TMP/err" && echo traced || cat "$TMP/err"
fi
