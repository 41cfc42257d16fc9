#@ what:    -x otlp sends a metrics message again after status 503 or 429, but not after the collector refused or partially accepted it
#@ needs:   protoc python3
#@ lost:    output
unset http_proxy
send() {
    rm -rf "$TMP/c" && mkdir "$TMP/c"
    python3 -B otlp_receiver.py "$TMP/c" "$@" &
    receiver=$!
    until [ -e "$TMP/c/port" ]; do sleep 0.01; done
    $DTRACE -qx "otlp=http://127.0.0.1:$(cat "$TMP/c/port")" -x drops -n 'BEGIN { @reads = count(); exit(0); }' 2>"$TMP/err"
    echo "status $?"
    kill $receiver
    cut -d' ' -f3- "$TMP/c/log"
    sed -E 's/127.0.0.1:[0-9]+/COLLECTOR/' "$TMP/err" | grep -E 'COLLECTOR| output: ' | sed 's, between.*,,'
}
send 503 429
cmp "$TMP/c/1" "$TMP/c/3" && protoc --decode=ExportMetricsServiceRequest --proto_path=. otlp.proto <"$TMP/c/3" | grep -A20 'name: "dtrace_reads"' | grep as_int
send 400
# The collector requests a delay of one second, and the tracer waits that long instead of its own shorter delay.
send 503:1
send 200:2:'too old'
