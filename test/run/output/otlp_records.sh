#@ what:    -x otlp sends records and errors as logs, with headers and attributes from a file and from environment variables
#@ needs:   protoc python3
unset http_proxy
python3 -B otlp_receiver.py "$TMP" &
receiver=$!
until [ -e "$TMP/port" ]; do sleep 0.01; done
collector=http://127.0.0.1:$(cat "$TMP/port")
printf '# of the collector\nX-Scope:  web \n' >"$TMP/headers"
export OTEL_EXPORTER_OTLP_HEADERS=Authorization=Basic%20Zm9v OTEL_RESOURCE_ATTRIBUTES=deployment.environment=test,host.name=h OTEL_SERVICE_NAME=web
$DTRACE -qx "otlp=$collector" -x otlpheaders="$TMP/headers" -n '
BEGIN { trace(-5); trace(probename); } BEGIN { printf("%s has %d\n", "a\xff", 0xfffffffffffffffful); } BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }' 2>/dev/null
kill $receiver
sort "$TMP/log"
# Prints one line for each record, without values that depend on this machine.
protoc --decode=ExportLogsServiceRequest --proto_path=. otlp.proto <"$TMP/logs1" | tr -s ' \n' ' ' | sed -E 's/attributes \{ key: "dtrace.cpu" value \{ int_value: [0-9]+ \} \} //g
    s/attributes \{ key: "(systemd.unit|container.id|k8s.pod.uid)" value \{ string_value: "[^"]*" \} \} //g; s/time_unix_nano: [0-9]{19} /time /g; s/ at BPF pc [0-9]+//; s/log_records/\nlog_records/g'
echo
$DTRACE -evx "otlp=$collector" -n 'BEGIN { trace(1); }' 2>&1 | grep -o '[^ ]*  tracer: metrics and records that.*'
for line in 'no header' 'X: a@b' 'Y:'; do
    echo "$line" | tr @ '\1' >"$TMP/headers"
    $DTRACE -qx "otlp=$collector" -x otlpheaders="$TMP/headers" -n 'BEGIN { exit(0); }' 2>&1 | sed "s,$TMP,TMP,"
done
$DTRACE -qx "otlp=$collector" -x otlpheaders="$TMP/none" -n 'BEGIN { exit(0); }' 2>&1 | sed "s,$TMP,TMP,"
