#@ what:    the /metrics page of a service contains native histograms in protobuf form if the reader asks for it, and text otherwise
#@ needs:   protoc python3
. ./service.bash
script a <<<'#pragma D metric @wait unit=nanoseconds
BEGIN { @n["a\"b"] = count(); @least = min(-3); @avg = avg(5); @avg = avg(2); @l = lquantize(12, 0, 20, 10); @none = hquantize(0, 0, 0);
    @h = hquantize(-8, 2, 3); @h = hquantize(0, 2); @h = hquantize(1, 2); @h = hquantize(2, 2, 5); @h = hquantize(3, 2); @wait = hquantize(1000, 0); }'
start -x metrics="$TMP/metrics"
scrape() { curl -s --unix-socket "$TMP/metrics" -D "$TMP/head" -H "Accept: $1" http://service/metrics; }
messages='application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding='
until scrape text/plain | grep -q dtrace_wait; do sleep 0.02; done
# A page is a sequence of metric families, each with its length before it. A tag before each length makes the page one message.
scrape "${messages}delimited,text/plain;q=0.5" | python3 -c '
import sys
page, at = sys.stdin.buffer.read(), 0
while at < len(page):
    begin, size, shift = at, 0, 0
    while True:
        byte = page[at]; size |= (byte & 127) << shift; at += 1; shift += 7
        if byte < 128:
            break
    sys.stdout.buffer.write(b"\n" + page[begin:at + size]); at += size' >"$TMP/page"
protoc --decode=Page --proto_path=. prometheus.proto <"$TMP/page" | awk '{ ends = /^}/ } /created_timestamp/ { skip = 3; ++times } skip == 0 { sub(/^ +/, ""); line = line " " $0 } skip > 0 && /}/ { skip = 0 }
    ends { if (line !~ /dtrace_lost/) print line; line = "" } END { print times, "times" }'
grep -i '^content-type' "$TMP/head" | tr -d '\r'
scrape "${messages}text,text/plain;q=0.5" | grep '_sum\|^dtrace_h_bucket{script="a",le="[48].0"}'
scrape "application/openmetrics-text,${messages}delimited;q=0.5" | tail -1
stop
