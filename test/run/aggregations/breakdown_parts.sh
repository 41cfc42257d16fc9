#@ what:    breakdown(): the part that a program spends its time in is the one it has most of, and all parts together are the time
#@ needs:   syscall
cd "$TMP" || exit 1
parts='user kernel timer futex lock mutex pipe unix network poll child signal stop fault'
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
$DTRACE -q -x format=csv -o trace -s script.d -c "sh -c 'for part in $parts; do ./part_\$part \$part || echo \$part none 0; done >lasted'"
# The wait is as long as what ended it lasted; work takes some time on any machine.
tr -d '\r' <trace | awk -F, -v parts="$parts" '
    BEGIN { while ((getline line <"lasted") > 0) { split(line, w, " "); lasted[w[1]] = w[3]; done[w[1]] = w[2] } }
    $1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 }
    $1 == "@wall" { wall[$2] = $3 }
    END {
        lasted["user"] = lasted["kernel"] = 300000; lasted["timer"] = 10000000
        is["mutex"] = "lock"; is["unix"] = "pipe"; is["stop"] = "signal"
        for (n = split(parts, part, " "); i++ < n;) {
            p = part[i]; key = "part_" p; differs = sum[key] - wall[key]
            kind = p in is ? is[p] : p
            if (done[p] == "none" && p == "fault") { print p, "ok"; continue } # no userfaultfd(2)
            if (done[p] == "none" && p == "mutex") { print p, "ok"; continue }
            ok = wall[key] > 0 && differs * differs <= wall[key] * wall[key] / 1e6 && time[key, kind] >= lasted[p] && lasted[p] > 0
            print p, ok ? "ok" : "wall " wall[key] " sum " sum[key] " part " time[key, kind] " lasted " lasted[p]
        }
    }'
