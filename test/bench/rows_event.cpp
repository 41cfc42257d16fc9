// Rows for an event at every system call of the traced thread (cost), and for the speed at which dtrace prints records.
#include <algorithm>
#include <optional>

#include "test/bench/cost.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

std::optional<Words> bpftrace(const Bench& bench, const char* script)
{
    if (!bench.bpftrace)
        return std::nullopt;
    return Words{"bpftrace", "-e", script};
}

} // namespace

void measure_event(const Bench& bench)
{
    std::string problem;
    const double untraced = ns_per_call(), empty = added_by_hand(program_by_hand("empty"), problem);
    bench.report.add(
        {"getppid loop, untraced", "ns/call", untraced, absent, absent, "", absent, absent, absent, false, ""});
    bench.report.add({"  + an empty program on every system call", "ns/call", absent, empty, absent, "", absent, absent,
                      absent, false, problem});
    measure_cost(bench,
                 {"  + syscall:::entry { @[execname] = count(); }", "ns/call", absent, absent, absent,
                  "<= 1.15 x by hand, <= 0.7 x bpftrace", absent, 1.15, 0.7, false, ""},
                 program_by_hand("by_comm"), {"event", "syscall:::entry { @[execname] = count(); }"},
                 bpftrace(bench, "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"));
}

void measure_reject(const Bench& bench)
{
    measure_cost(bench,
                 {"  + syscall:::entry /pid == 1/ { @ = count(); }", "ns/call", absent, absent, absent,
                  "<= 1.10 x by hand", absent, 1.10, absent, false, ""},
                 program_by_hand("reject"), {"reject", "syscall:::entry /pid == 1/ { @ = count(); }"},
                 bpftrace(bench, "tracepoint:raw_syscalls:sys_enter /pid == 1/ { @ = count(); }"));
}

// Makes two million records as fast as possible and measures the CPU time of the process that prints them.
void measure_storm(const Bench& bench)
{
    const long records = 2000000;
    double best = 0;
    std::string note;
    for (int i = 0; i < 3; i++) {
        auto command = bench.progs + "/storm " + std::to_string(records);
        Words words = {bench.dtrace,
                       "-b",
                       "256m",
                       "-qn",
                       "syscall::getppid:entry /pid == $target/ { printf(\"%d %s\\n\", pid, execname); }",
                       "-c",
                       command};
        auto idle = Tool({bench.dtrace, "-qn", "BEGIN { exit(0); }"}).wait();
        auto usage = Tool(words, "/dev/null").wait();
        if (usage.status != 0)
            return bench.report.problem("records printed by the consumer", usage.err);
        double cpu_s = usage.cpu_s - idle.cpu_s;
        best = std::max(best, static_cast<double>(records) / cpu_s / 1e6);
        note = usage.err.substr(0, 120);
    }
    bench.report.add({"records printed per second of one CPU", "million", best, absent, absent, ">= 2 million", 2,
                      absent, absent, true, note});
}

const std::vector<std::pair<std::string, Measure>>& all_rows()
{
    static const std::vector<std::pair<std::string, Measure>> rows = {
        {"startup", measure_startup},     {"oneliner", measure_oneliner},
        {"event", measure_event},         {"reject", measure_reject},
        {"cost", measure_cost_table},     {"storm", measure_storm},
        {"compile", measure_compile},     {"load", measure_load},
        {"catalogue", measure_catalogue}, {"memory", measure_memory},
        {"function", measure_function},   {"attach", measure_attach},
        {"user", measure_user},           {"user-attach", measure_user_attach},
    };
    return rows;
}

} // namespace dt::bench
