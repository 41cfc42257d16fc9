#@ what:    -x aggttl adds the values of expired keys to one entry named gone, for every aggregating function
#@ needs:   profile
#@ timeout: 120
# The tracer writes an entry "gone" for expired keys to the output file, so the file shows when all keys have expired.
until_gone() { # COUNT REGEX: waits for COUNT different matches in the file, then ends the tracer
    until [ "$(grep -oE "$2" "$TMP/out" 2>/dev/null | sort -u | wc -l)" -ge "$1" ]; do sleep 0.02; done
    kill -TERM $tracer
    wait $tracer
}
begin() { # ARGUMENTS: starts a tracer whose keys expire after 50 ms
    : >"$TMP/out"
    $DTRACE -x aggttl=50ms -x aggevery=50ms -o "$TMP/out" "$@" &
    tracer=$!
}
set -m
begin -x format=jsonl -qn 'BEGIN {
    @count["a"] = count(); @count["b"] = count(); @sum["a"] = sum(-5); @sum["b"] = sum(12);
    @min[1] = min(-7); @min[2] = min(7); @max[1] = max(-7); @max[2] = max(-9);
    @avg["a"] = avg(1); @avg["b"] = avg(4); @dev["a"] = stddev(1); @dev["b"] = stddev(5);
    @power["a"] = quantize(1); @power["b"] = quantize(2, 3); @linear["a"] = lquantize(1, 0, 4, 1);
    @linear["b"] = lquantize(2, 0, 4, 1); @log["a"] = llquantize(5, 10, 0, 1, 10); @log["b"] = llquantize(5, 10, 0, 1, 10);
    @lone = count(); } END { @count["c"] = count(); }'
until_gone 9 '"name":"[a-z]*".*"gone":true'
tail -11 "$TMP/out" | sed 's/"ts":[^n]*"name"/"name"/; s/"time":"[^"]*",//'
counts='BEGIN { @["a", 1] = count(); @["b", 2] = count(); } END { @["c", 3] = count(); }'
begin -x format=csv -x aggsortrev -qn "$counts"
until_gone 1 'gone,gone,1,2'
tail -2 "$TMP/out" | sed 's/,[0-9]*,/,T,/' | tr -d '\r'
begin -qn "$counts END { printa(\"%-5s|%5d|%@d\n\", @); } BEGIN { @stacks[stack(), \"x\"] = count(); }"
until_gone 2 '^ +gone  .*2$|^ {14}gone$'
grep -A99 '^c ' "$TMP/out" | tr -s ' '
begin -x format=folded -qn 'BEGIN { @stacks[stack(), "x"] = sum(3); @stacks[stack(), "y"] = sum(4); }'
until_gone 1 '^gone 7$'
$DTRACE -x aggttl=1s -x aggpercpu -qn 'BEGIN { @[1] = count(); exit(0); }' 2>&1
echo "status $?"
$DTRACE -x aggttl=1s -x save="$TMP/saved" -n 'BEGIN { @[1] = count(); }' 2>&1
ls "$TMP/saved" 2>/dev/null
echo "done"
