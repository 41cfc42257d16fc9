#@ what:    if a probe description matches nothing, the hint names similar probes, or the D form of another tracer's syntax
unset DTRACE_REPRODUCIBLE
while read -r description; do
    printf '%s\t' "$description"
    $DTRACE -en "$description { }" 2>&1 | sed -n 's/^ *= //p'
done <<'E'
syscall::opne:entry
syscal::read:entry
begin
syscall::read
syscall:read:entry
kprobe:vfs_read
kretprobe:vfs_read
tracepoint:syscalls:sys_enter_openat
interval:s:1
profile:hz:99
tick-1x
profile-100000hz
BEGIN /execname = "bash"/
BEGIN /pid == 1 and uid == 0/
BEGIN /pid == /
E
