#@ what:    the /metrics page of a service contains the aggregations of all scripts, as OpenMetrics or Prometheus text
. ./service.bash
script a <<<'#pragma D option labels=team=web
BEGIN { @n["x"] = count(); @q = lquantize(5, 0, 10, 5); } BEGIN { clear(@n); @n["x"] = count(); }'
script b <<<'BEGIN { @n["x"] = count(); @q = max(7); }'
start -x metrics="$TMP/metrics" -x drops
metrics() { curl -s --unix-socket "$TMP/metrics" "http://service$1" "${@:2}"; }
until metrics /metrics >"$TMP/now" && grep -q 'dtrace_n_total.*"a".* 2$' "$TMP/now" && grep -q 'dtrace_n_total.*"b"' "$TMP/now"; do sleep 0.02; done
metrics /metrics | grep -vE 'lost|weight'
metrics /metrics | grep -cE '^dtrace_(lost_total[{].*cause="buffer"|weight[{])'
echo --- OpenMetrics
accept='Accept: application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
metrics /metrics -H "$accept" -D "$TMP/head" | grep -E '^(# TYPE dtrace_n|dtrace_n_total|# EOF)'
grep -o 'Content-Type.*1\.0\.0' "$TMP/head"
metrics /metrics -H "$accept" | grep -cE '^dtrace_n_created[{].*[}] 1[0-9]{9}[.]'
for how in '/ -X GET' '/metrics -X POST' '/v1/scripts -X GET'; do metrics ${how% -X*} -X ${how##* } -o /dev/null -w '%{http_code}\n'; done
stop
