#@ what:    -x maxcost prints an error bound for an estimated total, and the true total differs from the estimate by at most three times the bound
#@ needs:   syscall python3
# In one of 20 runs, the true total may differ from the estimate by more than the stated bound, but never by more than
# three times the bound. If no bound is stated, the allowed difference is 2 %.
$DTRACE -x maxcost=0.005cpu -x format=jsonl -x errors=json -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$PROGS/storm 6000000" >"$TMP/out" 2>"$TMP/err"
python3 - "$TMP/out" "$TMP/err" <<'PY'
import json, sys
entries = [json.loads(line) for name in sys.argv[1:] for line in open(name) if line.startswith("{")]
total = [each["value"] for each in entries if each["type"] == "agg"][-1]
bounds = [each["error_permille"] / 1000 * total for each in entries if each.get("tag") == "BUDGET_ERROR"]
bound = bounds[0] if bounds else 0.02 * 6000000
print("attached less:", any(each.get("attached_permille", 1000) < 1000 for each in entries))
print("within the bound:", abs(total - 6000000) <= 3 * bound or f"{total}, bound {bound}")
PY
