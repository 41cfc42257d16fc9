#@ what:    the intervals of tseries() in every output format, in --merge, in a database schema and as a metric
#@ needs:   python3
# All firings of BEGIN are in the same interval, unless midnight UTC passes between them.
program='BEGIN { @["k"] = tseries(-3, 86400s, 4, "avg"); @["k"] = tseries(10, 86400s, 4, "avg"); exit(0); }'
day=$(($(date +%s) / 86400 * 86400))000000000
masked() { sed "s/$day/DAY/g" | tr -d '\r'; }
$DTRACE -qx format=jsonl -n "$program" | masked | grep -o '"interval":.*'
$DTRACE -qx format=csv -n "$program" | masked | grep '^table,key\|^@'
for format in jsonl csv; do $DTRACE -qe -x schema=sqlite -x format=$format -n "$program" | grep "@_"; done
for host in a b; do $DTRACE -qx format=snapshot -x labels=host=$host -n "$program" >"$TMP/$host"; done
$DTRACE --merge "$TMP/a" "$TMP/b" -x format=jsonl 2>/dev/null | masked | grep -o '"interval":.*'
$DTRACE -qx format=openmetrics -n "$program" | grep 'dtrace_tseries'
