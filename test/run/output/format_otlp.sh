#@ what:    -x otlp=URL sends each kind of aggregation as OpenTelemetry metrics with exact counts and bucket bounds
#@ needs:   protoc python3
unset http_proxy
python3 -B otlp_receiver.py "$TMP" &
receiver=$!
until [ -e "$TMP/port" ]; do sleep 0.01; done
$DTRACE -qx "otlp=http://127.0.0.1:$(cat "$TMP/port")/" -x labels=team=web -n '
#pragma D metric @wait name=io_wait unit=nanoseconds label=command,dev range=-4,8 help="time of \"reads\""
BEGIN { @reads["a\"b\\c\n"] = count(); @bytes["x", 1] = sum(0x7ffffffffffffffful); @ = avg(-3); @s = stddev(7); @least = min(3); @l = lquantize(12, 0, 30, 10); }
BEGIN { @wait["cat", "sda"] = quantize(3); @e = hquantize(-8, 1, 3); @e = hquantize(0, 1); @e = hquantize(3, 1, 5); @e = hquantize(5, 1); @f = hquantize(1000ul, 0); @net = sum((int)-2); @st[stack()] = count(); @huge = sum(0xfffffffffffff800ul); @w = avg(0x7fffffffffffffff); @w = avg(0x7fffffffffffffff); }
BEGIN { printa(@reads); printf("a record\n"); clear(@reads); @reads["a\"b\\c\n"] = count(); exit(0); }'
kill $receiver
sort "$TMP/log"
protoc --decode=ExportMetricsServiceRequest --proto_path=. otlp.proto <"$TMP/1" >"$TMP/text" || exit
# Checks that each data point starts before it ends, and that its times are current, in nanoseconds.
awk '/start_time/ { start = $2 } / time_unix/ { now = $2; wrong += now < start || length(now) != 19 } /unix_nano/ { ++times } END { print (times > 20 ? "times" : times), wrong + 0, "wrong" }' "$TMP/text"
# Prints one line for the resource and one for each metric, without the repeated parts of the loss metrics.
sed -E "/unix_nano/d; s/\"$(hostname)\"/\"HOST\"/" "$TMP/text" | awk '
    function flush() { if (line ~ /"dtrace_lost"/) sub(/data_points.*} aggregation/, "... aggregation", line); if (line != "") print line; line = "" }
    /^    metrics|^  scope_metrics/ { flush() } { sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0 } END { flush() }'
