#@ what:    with -x hits, drop reason throttled estimates the profile ticks that the kernel skipped; without -x hits it has no estimate
#@ needs:   profile python3
for firings in on off; do
    $DTRACE -x format=jsonl -x drops -x hits=$firings -qn 'BEGIN { begun = timestamp; } profile-97 { @ = count(); } tick-100ms /++n == 10/ { exit(0); }
        END { printf("%d", timestamp - begun); }' 2>/dev/null | python3 -c '
import json, os, sys
fired, most, row = 0, 0, None
for entry in map(json.loads, sys.stdin):
    if entry["type"] == "record" and entry["data"]:
        most = (int(entry["data"][0]) * 97 // 10**9 + 1) * os.cpu_count()
    elif entry["type"] == "hits" and entry["probe"].endswith("profile-97"):
        fired = entry["fired"]
    elif entry["type"] == "losses" and entry["cause"] == "throttled":
        row = entry
print("estimated:", "estimated" in row, row["count"] is not None and 0 < fired + row["count"] <= most)'
done
