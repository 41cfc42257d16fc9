#@ what:    the Python module returns the intervals of tseries() as buckets
#@ needs:   python3
for python in python3 /usr/bin/python3; do $python -c 'import cffi' 2>/dev/null && break; done || { echo "cffi is not installed"; exit 77; }
export PYTHONPATH=$PWD/../../../api/python LIBDTRACE=$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so PYTHONDONTWRITEBYTECODE=1
cat >"$TMP/tseries.py" <<'P'
import time
import dtrace

# All firings of BEGIN are in the same interval, unless midnight UTC passes between them.
DAY = 86400 * 10**9
today = time.time_ns() // DAY * DAY
PROGRAM = '''BEGIN {
    @a["k"] = tseries(-3, 86400s, 4, "avg"); @a["k"] = tseries(10, 86400s, 4, "avg"); @m = tseries(7, 86400s, 4, "min");
    @m = tseries(5, 86400s, 4, "min"); @none = tseries(1, 86400s, 4, "sum"); clear(@none); exit(0);
}'''
with dtrace.Trace(PROGRAM) as trace:
    for _ in trace:
        pass
for name, keys in (("a", "k"), ("m", ())):
    print(name, [(low - today, high - low == DAY - 1, value) for low, high, value in trace.aggregations[name][keys]])
print(list(trace.aggregations["none"].value))
P
$python "$TMP/tseries.py"
