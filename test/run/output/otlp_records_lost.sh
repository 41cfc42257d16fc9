#@ what:    records that -x otlp could not send to the collector are counted and reported as lost
#@ needs:   python3
#@ lost:    output
unset http_proxy
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.77.2", 0)); print(s.getsockname()[1])')
$DTRACE -qx "otlp=http://127.0.77.2:$port" -x drops -n 'BEGIN { trace(1); } BEGIN { trace(2); } BEGIN { @ = count(); exit(0); }' 2>"$TMP/err"
echo "status $?"
sed -nE "s/:$port//; s/^dtrace: (cannot send (metrics|records) to .*) \\(.*/\\1/p; s/^(dtrace: lost: .*) \\(.*/\\1/p; s/, between.*//; /output: /p" "$TMP/err"
