#@ what:    -x aggevery=TIME prints aggregations with the time at this interval and at exit, and setopt() can change the interval
#@ needs:   profile
program='BEGIN { @a["key"] = sum(1); } tick-50ms { @a["key"] = sum(1); } END { @a["key"] = sum(1000); }'
counted() # runs a trace until it has printed three snapshots, and checks that the values grow, the last one most
{
    : >"$TMP/out"
    "$@" >"$TMP/out" 2>&1 &
    until (($(grep -cE "$pattern" "$TMP/out") > 2)); do sleep 0.05; done
    kill -TERM $!
    wait $!
    echo "status $?"
    sed -En "s/$pattern/\\1/p" "$TMP/out" | awk '$1 < last { wrong = 1 } { last = $1 } END { print (NR > 3 && last > 1000 && !wrong ? "growing" : "not so") }'
}
set -m
pattern='^ +key +([0-9]+)$' counted $DTRACE -x aggevery=200ms -qn "$program"
pattern='^\{"type":"agg","ts":[0-9]+,"time":"[^"]+","name":"a","func":"sum","keys":\["key"\],"value":([0-9]+)\}$' counted $DTRACE -x aggevery=5hz -x format=jsonl -qn "$program"
pattern='^@a,[0-9]+,key,([0-9]+).$' counted $DTRACE -x aggevery=200ms -x format=csv -qn "$program"
pattern='^ +key +([0-9]+)$' counted $DTRACE -qn "BEGIN { setopt(\"aggevery\", \"100ms\"); } $program"
unset DTRACE_REPRODUCIBLE
$DTRACE -x aggevery=200ms -qn "$program" >"$TMP/out" &
until (($(grep -cE '^2[0-9]{3} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8}$' "$TMP/out") > 2)); do sleep 0.05; done
kill -TERM $!
wait $!
# The output file is also rotated if it contains only aggregations.
$DTRACE -x aggevery=50ms -x rotate=1,2 -o "$TMP/log" -qn 'BEGIN { @a = sum(5); }' &
until [ -s "$TMP/log.2" ]; do sleep 0.05; done
kill -TERM $!
wait $!
echo "status $?"
$DTRACE -x aggevery=1s -x format=flamegraph -qn 'BEGIN { @[stack()] = count(); exit(0); }' 2>&1
echo "status $?"
