#@ what:    a user with CAP_BPF and CAP_PERFMON can trace, one line names a missing capability, and the tracer drops capabilities after attaching
#@ needs:   syscall profile
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace"
cd /
as_user() # CAPABILITIES ARGUMENTS…: runs dtrace as an ordinary user who has only these capabilities
{
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="$1" --ambient-caps="$1" --bounding-set="$1" "$TMP/dtrace" "${@:2}" 2>&1
    echo "status $?"
}
both=-all,+bpf,+perfmon
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then # Debian's default
    as_user $both -qn 'BEGIN { exit(0); }' | grep -q 'CAP_SYS_ADMIN is needed' && both=$both,+sys_admin
fi
as_user $both -qn 'syscall::getpid:entry /0/ { } BEGIN { @[uid] = count(); exit(3); } END { printa("user %d: %@d\n", @); }'
(ulimit -l 64 && as_user $both -x quietresize -qn 'BEGIN { printf("buffers as large as may be locked\n"); } tick-50ms { exit(0); } syscall::getpid:entry /0/ { trace(1); }')
as_user -all,+bpf -qn 'BEGIN { exit(0); }'
as_user -all,+perfmon -ln BEGIN
as_user -all -qn 'BEGIN { exit(0); }'
as_user -all -V | head -n 1
cat >"$TMP/command" <<'C'
#!/bin/sh
grep -h '^CapEff' /proc/$PPID/task/*/status
C
chmod 755 "$TMP/command"
allowed=0x1c400084024
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || allowed=0x1c400284024 # buffers for CPUs that come online later need CAP_SYS_ADMIN
# The tracer may keep the capabilities that it needs to read buffers, memory maps and names, and to end the -c command (numbers 2, 5, 14, 19, 34, 38, 39, 40).
$DTRACE -qn 'BEGIN { }' -c "$TMP/command" | while read -r _ effective; do
    [ $((0x$effective & ~allowed)) = 0 ] && echo "nothing else is left"
done | sort -u
