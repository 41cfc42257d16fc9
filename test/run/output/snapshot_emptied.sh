#@ what:    -x aggevery=TIME,clear prints aggregations at this interval and resets their values, and TIME,trunc removes their keys
#@ needs:   profile
set -m
for then in clear trunc; do
    : >"$TMP/out"
    $DTRACE -x aggevery=100ms,$then -x format=jsonl -qn 'BEGIN { @a["key"] = sum(1000); @b = count(); } tick-50ms { trace(n++); } END { @a["key"] = sum(5); }' >"$TMP/out" &
    until (($(grep -c '"data":\[[0-9]*\]' "$TMP/out") > 10)) && grep -q '"name":"a"' "$TMP/out"; do sleep 0.05; done
    kill -TERM $!
    wait $!
    echo "$then: status $?"
    sed -nE 's/^.*"name":"(.)".*"value":([0-9]+).*/\1 \2/p' "$TMP/out" | sort -s -k1,1 | uniq -c | awk '{ print $2, $3, ($1 > 1 ? "again" : "once") }'
done
