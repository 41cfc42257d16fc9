#@ what:    if -x otlp finds no collector, the trace runs, and the number of metrics messages that could not be sent is reported at the end
#@ needs:   python3
#@ lost:    output
unset http_proxy
# Chooses a free port on a loopback address that no other test uses.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.77.1", 0)); print(s.getsockname()[1])')
$DTRACE -qx "otlp=http://127.0.77.1:$port" -x aggevery=10ms -x drops -n 'profile:::tick-10ms { @ticks = count(); n++; } profile:::tick-10ms /n == 50/ { exit(7); }' 2>"$TMP/err"
echo "status $?"
sed -nE "s/:$port//; s/^dtrace: (cannot send metrics [^:]*:[^:;]*[)]).*/\1/p; s/^dtrace: lost: [0-9]+ metrics messages?/N metrics messages/p" "$TMP/err"
awk '/^dtrace: lost:/ { told = $3 } / output: / { entered = $1 } END { print (told > 0 && told == entered ? "the ledger has as many" : told " told, " entered " entered") }' "$TMP/err"
for options in "-x format=otlp -o $TMP/file" "-x otlp=localhost"; do
    $DTRACE -q $options -n 'BEGIN { exit(0); }' 2>&1 || true
done
