#@ what:    a script with -x pin continues after the end of its service and in the next service, and a reload replaces the script
#@ needs:   syscall
. ../endurance/pinned.bash
. ./service.bash
script kept <<<"#pragma D option quiet
#pragma D option pin=kept$$
syscall::getsid:entry /execname == \"pin$$\"/ { @ = sum(1); }"
start
"$TMP/pin$$" 1000 1 0 getsid
killed $service
"$TMP/pin$$" 200 1 0 getsid
start
grep -o 'continues' "$TMP/err"
client status | awk -v pin=kept$$ '$1 == pin { print $2, $4, $5, $6 }'
"$TMP/pin$$" 30 1 0 getsid
script kept <<<"#pragma D option quiet
#pragma D option pin=kept$$
syscall::getsid:entry /execname == \"pin$$\"/ { @ = sum(1); } END { printf(\"another\"); }"
client reload | sed -E 's/[0-9.]+ ms/N ms/'
"$TMP/pin$$" 4 1 0 getsid
client detach kept >/dev/null
stop
tail -4 "$TMP/out" | grep . | tr -d ' '
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
