#@ what:    each firing is counted in the interval of tseries() in which its timestamp is, on all CPUs
#@ needs:   python3
cat >"$TMP/check.py" <<'P'
import json, sys
INTERVAL, SLACK = 50_000_000, 20_000
events, series, plain = [], {}, {}
for line in sys.stdin:
    entry = json.loads(line)
    if entry["type"] == "record":
        events += [entry["data"]] if entry["data"] else []
    elif "buckets" in entry:
        assert entry["interval"] == INTERVAL, entry
        series[entry["name"]] = dict(entry["buckets"])
    else:
        plain[entry["name"]] = entry["value"]
FUNCTIONS = {"count": len, "sum": sum, "min": min, "max": max, "avg": lambda v: int(sum(v) / len(v))}
# The clause reads the wall clock after `timestamp`, so the offset is at most the smallest difference, and little less.
most = min(wall - time for time, wall, value in events)


def intervals(offset):
    by_start = {}
    for time, wall, value in events:
        by_start.setdefault((time + offset) // INTERVAL * INTERVAL, []).append(value)
    return by_start


def equals(by_start):
    return all(series[name] == {start: function(values) for start, values in by_start.items()} for name, function in FUNCTIONS.items())


# Offsets between these two give other intervals only where an event crosses a limit.
limits = sorted({most - SLACK, most} | {most - extra for time, wall, value in events for extra in [(time + most) % INTERVAL + 1] if extra <= SLACK})
print("events:", len(events) > 100, "intervals:", len(intervals(most)) > 15)
print("exact:", any(equals(intervals(offset)) for offset in limits))
print("totals:", sum(series["count"].values()) == plain["n"] == len(events), sum(series["sum"].values()) == plain["s"])
print("extremes:", min(series["min"].values()) == plain["i"], max(series["max"].values()) == plain["x"])
P
$DTRACE -x format=jsonl -qn 'profile-499hz {
        this->v = (int64_t)(timestamp / 1000 % 1000) - 500;
        trace(timestamp); trace(walltimestamp); trace(this->v);
        @count = tseries(this->v, 50ms, 800, "count"); @sum = tseries(this->v, 50ms, 800, "sum");
        @min = tseries(this->v, 50ms, 800, "min"); @max = tseries(this->v, 50ms, 800, "max");
        @avg = tseries(this->v, 50ms, 800, "avg");
        @n = count(); @s = sum(this->v); @i = min(this->v); @x = max(this->v);
    }
    tick-1500ms { exit(0); }' | python3 "$TMP/check.py"
