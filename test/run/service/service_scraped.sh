#@ what:    Prometheus and VictoriaMetrics read the right sums and quantiles from a service, and promtool finds no mistake in the page
#@ needs:   root prometheus victoria-metrics python3
# Runs in its own network namespace, so that all ports are free.
if [[ ! $ALONE ]]; then
    ALONE=1 exec unshare --net bash "$0" "$@"
fi
python3 -c '
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh", b"lo", 0x1))' # SIOCSIFFLAGS, IFF_UP
. ./service.bash
script a <<<'BEGIN { @bytes["x"] = sum(1000); @bytes["y"] = sum(234); @size = quantize(3); @size = quantize(5); @size = quantize(100); @lat = hquantize(8, 3); @lat = hquantize(64, 3); }'
script b <<<'BEGIN { @bytes["x"] = sum(4); @size = quantize(1000000); @ratio = avg(8); @lat = hquantize(1024, 3); @lat = hquantize(4096, 3); }'
start -x metrics=127.0.0.1:9464
until curl -s http://127.0.0.1:9464/metrics -o "$TMP/page" && grep -q 'dtrace_ratio_count' "$TMP/page"; do sleep 0.02; done
promtool check metrics <"$TMP/page"
cat >"$TMP/prometheus.yml" <<'END'
global: {scrape_interval: 200ms, scrape_timeout: 200ms}
scrape_configs: [{job_name: dtrace, static_configs: [{targets: ['127.0.0.1:9464']}]}]
END
prometheus --enable-feature=native-histograms --config.file="$TMP/prometheus.yml" --storage.tsdb.path="$TMP/prometheus" --web.listen-address=127.0.0.1:9090 >"$TMP/log" 2>&1 &
engines=($!)
victoria-metrics -promscrape.config="$TMP/prometheus.yml" -storageDataPath="$TMP/victoria" -httpListenAddr=127.0.0.1:8428 -search.latencyOffset=0s >"$TMP/log2" 2>&1 &
engines+=($!)
query() { curl -s "http://127.0.0.1:$1/api/v1/query" --data-urlencode "query=$2" | grep -oE '"value":\[[^]]*' | grep -oE '"[^"]*"$'; }
for port in 9090 8428; do
    until query $port 'dtrace_ratio_count' >/dev/null; do sleep 0.05; done
    for what in 'sum(dtrace_bytes_total)' 'sum by (script) (dtrace_bytes_total{script="a"})' 'histogram_quantile(0.5, sum by (le) (dtrace_size_bucket))' \
        'histogram_quantile(1, sum by (le) (dtrace_size_bucket))' 'sum(dtrace_size_count)' 'dtrace_ratio_sum / dtrace_ratio_count'; do
        echo "$port $what: $(query $port "$what")"
    done
done
for what in 'histogram_count(sum(dtrace_lat))' 'histogram_sum(sum(dtrace_lat))' 'histogram_quantile(0.5, sum(dtrace_lat))' 'histogram_quantile(1, dtrace_lat{script="b"})'; do
    echo "native $what: $(query 9090 "$what")"
done
echo "octaves: $(query 8428 'histogram_quantile(0.5, sum by (le) (dtrace_lat_bucket))')"
kill "${engines[@]}"
wait "${engines[@]}"
stop
