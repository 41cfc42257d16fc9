#@ what:    clear() and trunc() also remove the entry gone of -x aggttl, and a cleared key expires without an entry gone
#@ needs:   profile
#@ timeout: 60
set -m
run() { # STATEMENTS: runs these statements in END, after the keys a and b have expired
    : >"$TMP/out"
    $DTRACE -x aggttl=50ms -x aggevery=50ms -o "$TMP/out" -qn "BEGIN { @[\"a\"] = sum(3); @[\"b\"] = sum(4); } END { @[\"c\"] = sum(1); @[\"d\"] = sum(2); $1 }" &
    until grep -q 'gone .* 7$' "$TMP/out"; do sleep 0.02; done
    kill -TERM $!
    wait $!
    sed -n '/end/,$p' "$TMP/out" | tr -s ' '
}
run 'printf("end\n"); printa(@); trunc(@, 1); printa(@);'
run 'printf("end\n"); clear(@); printa(@);'
# A cleared key expires without a "gone" entry, and can be added again like a new key.
: >"$TMP/out"
$DTRACE -x aggttl=50ms -x aggevery=50ms,clear -o "$TMP/out" -x format=jsonl -qn 'BEGIN { @["a"] = sum(3); } tick-50ms { @all = count(); } END { @["a"] = sum(5); }' &
until grep -q '"all"' "$TMP/out" && ! tail -3 "$TMP/out" | grep -q '"a"\|gone'; do sleep 0.02; done
kill -TERM $!
wait $!
grep -o '"a".*' "$TMP/out" | tail -1
