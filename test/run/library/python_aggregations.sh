#@ what:    the Python module returns aggregations as dictionaries and tables for notebooks, and its example program runs
#@ needs:   syscall python3
for python in python3 /usr/bin/python3; do $python -c 'import cffi' 2>/dev/null && break; done || { echo "cffi is not installed"; exit 77; }
export PYTHONPATH=$PWD/../../../api/python LIBDTRACE=$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so PYTHONDONTWRITEBYTECODE=1
cat >"$TMP/aggregations.py" <<'P'
import sys
import dtrace

PROGRAM = '''BEGIN {
    @c["x", (int64_t)3] = count(); @s["a"] = sum(-5); @s["b"] = sum(5); @v = avg(4); @v = avg(8); @d = stddev(2); @d = stddev(6);
    @q = quantize(9); @q = quantize(-3); @q = quantize(0); @l = lquantize(25, 10, 40, 10);
    @ll = llquantize(1500, 10, 0, 3, 10); @ll = llquantize(-20000, 10, 0, 3, 10); @h = hquantize(100, 0); @h = hquantize(-1, 0); exit(0);
}'''
with dtrace.Trace(PROGRAM) as trace:
    for _ in trace:
        pass
all = trace.aggregations
print(sorted(all), dict(all["c"]), dict(all["s"]), all["v"].value.mean, all["d"].value.deviation)
print([tuple(bucket) for bucket in all["q"].value.used() if bucket.count], [tuple(bucket) for bucket in all["l"].value if bucket.count])
for name in ("ll", "h"):
    print(name, [tuple(bucket) for bucket in all[name].value if bucket.count], all[name].value.total)
print(all["q"].value)
print(all["s"]._repr_html_())
with dtrace.Trace("syscall::getppid:entry /pid == $target/ { @ = count(); }", command=[sys.argv[1], "5000"]) as trace:
    for _ in trace:
        pass
print(trace.aggregations["_"].value)
P
$python "$TMP/aggregations.py" "$PROGS/storm"
$python ../../../examples/python/slow_calls.py 1 "$PROGS/storm" 300 | grep getppid
