# Compares breakdown() of programs with what they say of themselves: known_parts. `outside`: where a program lost the CPU between its close() and its look
# at the clock, that is not in what it counted. Under emulation a switch takes some 100 us, in which the kernel counts and the tracer looks one after the other. What the hypervisor takes is no time on a CPU by the kernel's count, and so it is in what was waited.
function near(is, truth, allowed) {
    allowed = emulated ? (truth / 10 > 5e6 ? truth / 10 : 5e6) : truth / 50 > 1e6 ? truth / 50 : 1e6
    return is >= truth - allowed && is <= truth + allowed + outside
}
BEGIN {
    emulated = ENVIRON["DTRACE_GUEST"] != ""
    while ((getline line <truth) > 0) {
        split(line, w, " ")
        if (w[2] == "none") none[w[1]] = 1
        if (w[2] == "lasted") least[w[1]] = w[3]
        if (w[2] == "took") took[w[1]] = w[3]
        if (w[2] == "truth") { waited[w[1]] = w[3]; on_cpu[w[1]] = w[4]; queued[w[1]] = w[5] }
    }
}
$1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 }
$1 == "@wall" { wall[$2] = $3 }
END {
    for (n = split(pairs, pair, " "); i++ < n;) {
        split(pair[i], w, ":"); name = w[1]; kind = w[2]; key = "part_" name
        if (name in none) { print name, "ok"; continue }
        differs = sum[key] - wall[key]; outside = wall[key] - waited[name] - on_cpu[name] - queued[name]
        cpu = time[key, "user"] + time[key, "kernel"] + time[key, "interrupt"]
        if (kind ~ /lock|reclaim/) cpu = on_cpu[name] # some of these parts is on a CPU
        runq = time[key, "runq"] + time[key, "throttled"]
        is = kind == "cpu" ? cpu : time[key, kind]
        real = kind == "cpu" ? on_cpu[name] : kind == "runq" ? queued[name] : kind == "interrupt" ? took[name] : waited[name] - time[key, "stolen"]
        others = time["part_still", "interrupt"] # whose they are that come without those that are known
        ok = wall[key] > 0 && differs * differs <= wall[key] * wall[key] / 1e6 && time[key, "other"] <= wall[key] / 100 && is > 0 && is >= least[name] &&
            (kind == "interrupt" ? is >= real && near(is - others, real) : near(is, real)) && near(cpu, on_cpu[name]) && near(runq, queued[name])
        print name, ok ? "ok" : is " of " kind " and not " real "; wall " wall[key] " sum " sum[key] " other " time[key, "other"] " cpu " cpu " of " on_cpu[name] " runq " runq " of " queued[name] " lasted " least[name]
        if (ENVIRON["SHOW"]) print name, is, real, "wall", wall[key], "outside", outside, "cpu", cpu, on_cpu[name], "runq", runq, queued[name], "interrupt", time[key, "interrupt"], "stolen", time[key, "stolen"]
    }
}
