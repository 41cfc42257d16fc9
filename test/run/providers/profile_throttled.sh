#@ what:    profile ticks that the kernel throttles count under drop reason throttled; together with the recorded ticks they add up to all ticks
#@ lost:    throttled
#@ needs:   guest profile python3
# The limit allows one sample in each kernel tick, at most 250 a second here, so at least three in four of 1,999 samples are skipped.
echo 1 >/proc/sys/kernel/perf_event_max_sample_rate
$DTRACE -x format=jsonl -x drops -x hits -qn 'profile-1999hz { @ = count(); } tick-200ms /++n == 5/ { exit(0); }' 2>/dev/null | python3 -c '
import json, sys
fired, throttled = 0, 0
for entry in map(json.loads, sys.stdin):
    if entry["type"] == "hits" and entry["probe"].endswith("profile-1999hz"):
        fired = entry["fired"]
    elif entry["type"] == "losses" and entry["cause"] == "throttled":
        throttled = entry["count"]
print("fired:", fired > 0, " most are throttled:", throttled > fired)'
