#@ what:    SIGTERM ends a service and leaves its pinned scripts to the next one, and SIGINT ends the scripts too
#@ needs:   syscall
. ../endurance/pinned.bash
. ./service.bash
script kept <<<"#pragma D option quiet
#pragma D option pin=kept$$
#pragma D option output=$TMP/log
syscall::getsid:entry /execname == \"pin$$\"/ { @ = sum(1); printf(\"call\n\"); } END { printf(\"end\n\"); }"
script other <<<'#pragma D option quiet
END { printf("other ends\n"); }'
start
"$TMP/pin$$" 1000 1 0 getsid
stop
grep -c call "$TMP/log"
grep -v call "$TMP/log"
grep . "$TMP/out"
sed -n "s/kept$$/NAME/p" "$TMP/err"
"$TMP/pin$$" 200 1 0 getsid
start
grep -o 'continues' "$TMP/err"
"$TMP/pin$$" 30 1 0 getsid
kill -INT $service
wait $service
echo "status $?"
grep -c call "$TMP/log"
grep -v call "$TMP/log" | grep . | tr -d ' '
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
