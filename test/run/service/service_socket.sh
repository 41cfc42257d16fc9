#@ what:    a directory that is not there is an error; a second service at the socket of the first goes on without one and leaves that alone; what was left by a killed one is taken over
#@ needs:   python3
. ./service.bash
$DTRACE -x control="$socket" --service "$TMP/nowhere" 2>&1 | sed "s|$TMP|TMP|"
echo "status ${PIPESTATUS[0]}"
script it <<<'#pragma D option quiet
BEGIN { printf("begun\n"); }'
start
$DTRACE -x control="$socket" --service "$dir" >"$TMP/second" 2>"$TMP/said" &
until grep -qs begun "$TMP/second"; do sleep 0.02; done
kill -TERM $!
wait $!
echo "status $?"
sed "s|$TMP|TMP|" "$TMP/said"
state it
stop
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$socket"
start
state it
stop
