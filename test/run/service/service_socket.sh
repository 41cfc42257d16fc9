#@ what:    a missing directory for the socket is an error, a second service runs without a socket, and a dead service's socket is replaced
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
