#@ what:    breakdown() reports the CPU time that sum_exec_runtime in /proc/PID/sched gives, with a difference of at most 2 % or one tick
#@ needs:   syscall host python3
grep -q sum_exec_runtime /proc/self/sched 2>"$TMP/errors" || { echo "this kernel tells no statistics of its scheduler"; exit 77; }
cat >"$TMP/computes.py" <<'P'
import os, time
def runtime():  # CPU time in ms; the scheduler updates it at switches and ticks
    return float([line for line in open("/proc/self/sched") if "sum_exec_runtime" in line][0].split(":")[1])
def close(number):
    try:
        os.close(number)
    except OSError:
        pass
close(-1)
first, from_ = runtime(), time.thread_time()
while time.thread_time() - from_ < 0.5:
    pass
took = runtime() - first
close(-2)
print("took", took * 1e6)
P
python=$(python3 -c 'import sys; print(sys.executable)') || { echo "python3 is not installed"; exit 77; }
$DTRACE -q -x format=csv -o "$TMP/known.csv" -c "$python $TMP/computes.py" -n 'syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->m = mark(); }
    syscall::close:entry /self->m && (int)arg0 == -2/ { @ = breakdown(self->m); self->m = 0; }' >"$TMP/said"
tr -d '\r' <"$TMP/known.csv" | awk -F, -v said="$(cat "$TMP/said")" '
    $1 == "@_" { time[$2] = $3 }
    END {
        split(said, w, " ")
        is = time["user"] + time["kernel"] + time["interrupt"]; differs = is - w[2]
        if (ENVIRON["SHOW"]) print is, "of", w[2]
        print "sum_exec_runtime", (w[2] > 4e8 && differs <= w[2] / 50 + 4e6 && differs >= -w[2] / 50 - 4e6 ? "ok" : is " and not " w[2])
    }'
