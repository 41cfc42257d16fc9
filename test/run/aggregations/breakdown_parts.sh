#@ what:    breakdown(): each way to spend time is in its part, as long as the kernel counts it (2 % or 1 ms), all parts are the time, and 1 % at most is other
#@ needs:   syscall
cd "$TMP" || exit 1
parts='user kernel runq timer futex lock mutex pipe unix network poll child signal stop fault'
# Each under a name of its own, which is its key.
for part in $parts; do cp "$PROGS/parts" part_$part; done
cat >script.d <<'D'
syscall::close:entry /progenyof($target) && (int)arg0 == -1/ { self->mark = mark(); self->from = timestamp; }
syscall::close:entry /self->mark && (int)arg0 == -2/
{
    @[execname] = breakdown(self->mark);
    @wall[execname] = sum(timestamp - self->from);
    self->mark = 0;
    self->from = 0;
}
D
$DTRACE -q -x format=csv -o trace -s script.d -c "sh -c 'for part in $parts; do ./part_\$part \$part || echo \$part none; done >truth'"
# The wait is as long as what ended it lasted at least. What the hypervisor takes is no time on a CPU by the kernel's count, and so it is in `waited`.
tr -d '\r' <trace | awk -F, -v parts="$parts" '
    BEGIN {
        while ((getline line <"truth") > 0) {
            split(line, w, " ")
            if (w[2] == "none") none[w[1]] = 1 # no userfaultfd(2)
            if (w[2] == "lasted") least[w[1]] = w[3]
            if (w[2] == "truth") { waited[w[1]] = w[3]; on_cpu[w[1]] = w[4]; queued[w[1]] = w[5] }
        }
    }
    $1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 }
    $1 == "@wall" { wall[$2] = $3 }
    function near(is, truth, allowed) { # where the program lost the CPU between its close() and its look at the clock, that is outside of what it counted
        allowed = truth / 50 > 1e6 ? truth / 50 : 1e6
        return is >= truth - allowed && is <= truth + allowed + outside
    }
    END {
        alias["mutex"] = "lock"; alias["unix"] = "pipe"; alias["stop"] = "signal"
        least["user"] = least["kernel"] = 300000; least["timer"] = 20000000; least["runq"] = 1
        for (n = split(parts, part, " "); i++ < n;) {
            p = part[i]; key = "part_" p; kind = p in alias ? alias[p] : p
            if (p in none && p ~ /fault|mutex/) { print p, "ok"; continue }
            differs = sum[key] - wall[key]; outside = wall[key] - waited[p] - on_cpu[p] - queued[p]
            cpu = time[key, "user"] + time[key, "kernel"] + time[key, "interrupt"]
            truth = p == "user" || p == "kernel" ? on_cpu[p] : p == "runq" ? queued[p] : waited[p] - time[key, "stolen"]
            is = p == "user" || p == "kernel" ? cpu : time[key, kind]
            runq = time[key, "runq"] + time[key, "throttled"]
            ok = wall[key] > 0 && differs * differs <= wall[key] * wall[key] / 1e6 && time[key, "other"] <= wall[key] / 100 && time[key, kind] >= least[p] && least[p] > 0 &&
                near(is, truth) && near(cpu, on_cpu[p]) && near(runq, queued[p])
            print p, ok ? "ok" : "wall " wall[key] " sum " sum[key] " part " time[key, kind] " least " least[p] " other " time[key, "other"] " cpu " cpu " runq " runq " truth " waited[p] " " on_cpu[p] " " queued[p]
        }
    }'
