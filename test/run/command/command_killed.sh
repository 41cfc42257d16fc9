#@ what:    a command started by -c is killed when tracing ends first, and a process given to -p keeps running
#@ needs:   profile
state() { [ -e "/proc/$1" ] && ! grep -q '^State:.*[ZX]' "/proc/$1/status" 2>/dev/null && echo runs || echo ended; }
$DTRACE -qn 'tick-50ms { printf("%d\n", $target); exit(0); }' -c "sleep 1000" | grep . >"$TMP/pid"
echo "command $(state "$(cat "$TMP/pid")")"
sleep 1000 &
$DTRACE -qn 'tick-50ms { exit(0); }' -p $! | grep .
echo "process $(state $!)"
kill $!
exec 2>/dev/null # hides the messages of bash about killed jobs
$DTRACE -qn 'tick-50ms { printf("%d\n", $target); }' -c "sleep 1000" >"$TMP/killed" &
until grep -qs . "$TMP/killed"; do sleep 0.1; done
kill -KILL $!
wait $!
until [ "$(state "$(head -n 1 "$TMP/killed")")" = ended ]; do sleep 0.1; done
echo "killed: command $(state "$(head -n 1 "$TMP/killed")")"
