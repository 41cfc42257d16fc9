#@ what:    a service removes pinned traces that no tracer uses, with a message, and lists the other pinned traces in its status
. ../endurance/pinned.bash
. ./service.bash
pins=/sys/fs/bpf/dtrace
mount -t bpf bpf /sys/fs/bpf # a bpffs of its own, in which no other service removes pins
begin() { # NAME LEASE: starts a pinned trace of this name and timeout
    $DTRACE -x pin=$1$$ -x pintimeout=$2 -o "$TMP/$1" -qn 'BEGIN { printf("begun\n"); } tick-1h { }' 2>/dev/null & tracer=$!
    until_says "$TMP/$1" begun
}
begin alive 10ms
alive=$tracer
kill -STOP $alive # a stopped tracer, like a killed one, does not renew its timeout
for name in claimed:10ms forever:0 gone:10ms; do # the timeout of the last one expires last
    begin ${name%:*} ${name#*:}
    killed $tracer
done
mkdir $pins/half$$
script claimed <<<"#pragma D option pin=claimed$$
BEGIN { this is no program"
script mine <<<"#pragma D option pin=mine$$
BEGIN { }"
start
until_says "$TMP/err" "half$$ is removed"
until [ ! -d $pins/gone$$ ]; do client reload >/dev/null; sleep 0.05; done
client status | grep -A9 ^PIN | grep -E "^PIN|$$" | sed -E "s/$$//; s/[-0-9]+T[0-9:]+Z/TIME/; s/process [0-9]+/process N/; s/[0-9,]+ s ago/N s ago/; s/  +/ /g"
client status mine | grep -c PIN
ask /v1/scripts/mine | value pin | sed "s/$$//"
grep -E "^dtrace: pin" "$TMP/err" | grep $$ | sed -E "s/$$//; s/ [0-9]+ s / N s /" | sort
kill -CONT $alive
kill $alive
wait $alive
kill -INT $service
wait $service
ls $pins | grep $$ | sed "s/$$//"
rm -r $pins/*$$
rmdir $pins 2>/dev/null
exit 0
