#@ what:    --doctor reports as text or JSON lines what can be traced on this machine, with status 0, also without root
#@ needs:   syscall python3
$DTRACE --doctor >"$TMP/report"
echo "status $?"
grep -E '^  (engine|btf|bpf|perf-buffer|raw-tracepoint|dtrace|profile|syscall) +(yes|no)' "$TMP/report" | awk '{ print $1, $2 }'
tail -n 1 "$TMP/report"
$DTRACE --doctor -x format=jsonl >"$TMP/lines"
python3 - "$TMP/lines" "$TMP/report" "$DTRACE" <<'P'
import json, sys
objects = [json.loads(line) for line in open(sys.argv[1])]
checks = [each for each in objects if each["type"] == "check"]
print(sorted(set(each["group"] for each in checks)), objects[-1])
rows = [line.split() for line in open(sys.argv[2]) if line.startswith("  ") and not line.startswith("   ")]
print([row[:2] for row in rows] == [[each["name"], "yes" if each["works"] else "no"] for each in checks])
# "N of M probes" or "M probes": M are listed, and N can be enabled alone.
import re, subprocess
for each in checks:
    if each["name"] in ("tcp", "lockstat") and each["group"] == "provider":
        usable, probes = re.match(r"(?:(\d+) of )?(\d+) probes", each["detail"]).groups()
        listed = subprocess.run([sys.argv[3], "-lP", each["name"]], capture_output=True, text=True).stdout.splitlines()[1:]
        scripts = [f"{each['name']}:::{line.split()[-1]} /0/ {{ }} BEGIN {{ exit(0); }}" for line in listed]
        enabled = [subprocess.run([sys.argv[3], "-qn", script], capture_output=True).returncode == 0 for script in scripts]
        print(each["name"], int(probes) == len(listed), int(usable or probes) == sum(enabled))
print("without a remedy:", [each["name"] for each in checks if not each["works"] and not each["remedy"]])
P
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace"
cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/dtrace" --doctor >"$TMP/unprivileged"
echo "status $?"
grep -A 1 '^  permission' "$TMP/unprivileged"
$DTRACE --doctor -n BEGIN 2>&1
echo "status $?"
