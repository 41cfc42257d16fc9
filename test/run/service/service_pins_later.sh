#@ what:    a running service removes the incomplete pinned objects of a killed tracer at its next check
. ../endurance/pinned.bash
. ./service.bash
pins=/sys/fs/bpf/dtrace
mount -t bpf bpf /sys/fs/bpf # a bpffs of its own, in which no other service removes pins
script mine <<<"#pragma D option pin=mine$$
BEGIN { }"
export DTRACE_PIN_PERIOD=50
start
for round in first second; do
    mkdir $pins/$round$$
    until_says "$TMP/err" "$round$$ is removed"
    until [ ! -d $pins/$round$$ ]; do sleep 0.05; done
done
kill -INT $service
wait $service
grep -E "^dtrace: pin" "$TMP/err" | grep $$ | sed -E "s/$$//" | sort -u
ls $pins 2>/dev/null | grep -c $$
exit 0
