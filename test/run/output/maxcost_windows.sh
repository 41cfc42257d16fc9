#@ what:    if the overhead of a probe alone exceeds -x maxcost, the probe is attached only part of the time, and values are marked as estimated
#@ lost:    detached
#@ needs:   syscall
#@ timeout: 60
# A busy machine makes fewer calls a second and leaves the tracer little time. So the calls continue until the tracer
# reports sampling windows. Then they continue until a snapshot shows a larger value, which can only come from a window.
cat >"$TMP/calls" <<'SH'
calls_until() { until eval "$1"; do "$PROGS/storm" 500000; done; }
snapshots() { grep -c '"type":"agg".*}$' "$TMP/out"; }
value() { sed -n 's/^{"type":"agg".*"value":\([0-9]*\)[,}].*}$/\1/p' "$TMP/out" | tail -n 1; }
calls_until 'grep -q "attached_permille.:[0-9]\{1,3\}," "$TMP/err"'
before=$(snapshots)
calls_until '[ $(snapshots) -gt $((before + 1)) ]'
seen=$(value)
calls_until '[ $(value) -gt $seen ]'
SH
$DTRACE -x maxcost=0.02cpu -x format=jsonl -x errors=json -x drops -x aggevery=200ms -qn 'syscall::getppid:entry /progenyof($target)/ { @ = count(); }' \
    -c "sh $TMP/calls" >"$TMP/out" 2>"$TMP/err"
grep '"type":"agg"' "$TMP/out" | tail -n 1 | grep -q '"estimated":true' && echo "estimated"
grep '"tag":"BUDGET"' "$TMP/err" | grep -q '"attached_permille":[0-9]\{1,3\},' && echo "attached less"
grep '"cause":"detached"' "$TMP/out" | grep -q '"count":[1-9]' && echo "losses"
