#@ what:    if stderr is not a terminal, a repeated error prints ten times, and then every ten seconds a line with the number of further errors
#@ needs:   profile python3
#@ timeout: 60
export DTRACE_REPRODUCIBLE=
: >"$TMP/err"
$DTRACE -qwx format=jsonl -o "$TMP/lines" -n 'tick-20ms { trace(1 / (arg0 - arg0)); } tick-20ms { freopen("%s", "/none/at/all"); }' 2>"$TMP/err" &
until [ "$(grep -c ' more in the last 1[0-9] s$' "$TMP/err")" -ge 2 ]; do sleep 0.1; done
kill -TERM $!
wait $!
echo "status $?"
grep -c 'divide-by-zero at BPF pc [0-9]*$' "$TMP/err"
grep -c 'couldn.t freopen() "/none/at/all": No such file or directory$' "$TMP/err"
sed -nE 's/^.*: and [0-9]+ more in the last 1[0-9] s$/more/p; s/.*: repeated [0-9,]+ times$/in all/p' "$TMP/err"
# Checks that the JSON lines have the same counts as the messages on standard error, and that the counts of repetitions add up.
python3 - "$TMP/lines" "$TMP/err" <<'END'
import json, re, sys
errors = [line for line in map(json.loads, open(sys.argv[1])) if line["type"] == "error"]
for fault in "divide-by-zero", None:
    of_it = [each for each in errors if each.get("fault") == fault]
    repeated = [each["repeated"] for each in of_it if "repeated" in each]
    print(len(of_it) - len(repeated), len(repeated) in (2, 1), any(f"repeated {sum(repeated):,} times" in line for line in open(sys.argv[2])))
END
