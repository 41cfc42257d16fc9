#@ what:    while a service is restarted repeatedly under load, a pinned script counts each hit once (variable RESTARTS sets the number of restarts)
#@ needs:   syscall
. ../endurance/pinned.bash
. ./service.bash
script kept <<<"#pragma D option quiet
#pragma D option pin=kept$$
syscall::getsid:entry /execname == \"pin$$\"/ { @all = sum(1); n++; } syscall::getsid:return /execname == \"pin$$\"/ { @back = count(); } END { printa(\"back %@d\n\", @back); printa(\"all %@d\n\", @all); }"
start
restarts=${RESTARTS:-3}
for ((i = 0; i < restarts; i++)); do
    "$TMP/pin$$" 300000 1 0 getsid & storm=$!
    kill -TERM $service
    wait $service
    start
    wait $storm
done
client detach kept >/dev/null
stop
awk -v calls=$((restarts * 300000)) 'NF { print $1, $2 == calls ? "right" : $2 " of " calls }' "$TMP/out"
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
