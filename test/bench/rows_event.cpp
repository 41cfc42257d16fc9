// Rows about the cost of an event to the traced thread, and about the consumer's speed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "test/bench/cost.hpp"
#include "test/bench/hand.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

std::optional<Words> bpftrace(const Bench& bench, const char* script)
{
    if (!bench.bpftrace)
        return std::nullopt;
    return Words{"bpftrace", "-e", script};
}

// A script of ours, the same by hand, the same in bpftrace, and the most that ours may cost of bpftrace's. Where the kernel's own work is most of
// the cost, as in walking a stack, that would ask for less than the kernel takes: there ours is held to the program by hand.
struct Comparison {
    const char *script, *hand, *bpftrace;
    double most = absent;
};

constexpr double kMostOfByHand = 1.15;

void measure(const Bench& bench, const Comparison& c)
{
    const bool by_hand = std::isnan(c.most);
    char budget[32];
    std::snprintf(budget, sizeof budget, by_hand ? "<= %.2f x by hand" : "<= %.1f x bpftrace", by_hand ? kMostOfByHand : c.most);
    measure_cost({std::string("  + ") + c.script, "ns/call", absent, absent, absent, budget, absent, by_hand ? kMostOfByHand : absent, c.most, false, ""},
                 c.hand, {bench.dtrace, "-qn", c.script}, bpftrace(bench, c.bpftrace));
}

} // namespace

void measure_event(const Bench& bench)
{
    std::string problem;
    double untraced = ns_per_call(), empty = added_by_hand("empty", problem);
    print_row({"getppid loop, untraced", "ns/call", untraced, absent, absent, "", absent, absent, absent, false, ""});
    print_row({"  + an empty program on every system call", "ns/call", absent, empty, absent, "", absent, absent, absent, false, problem});
    measure_cost({"  + syscall:::entry { @[execname] = count(); }", "ns/call", absent, absent, absent, "<= 1.15 x by hand, <= 0.7 x bpftrace", absent, 1.15,
                  0.7, false, ""},
                 "by_comm", {bench.dtrace, "-qn", "syscall:::entry { @[execname] = count(); }"},
                 bpftrace(bench, "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"));
}

void measure_reject(const Bench& bench)
{
    measure_cost({"  + syscall:::entry /pid == 1/ { @ = count(); }", "ns/call", absent, absent, absent, "<= 1.10 x by hand", absent, 1.10, absent, false, ""},
                 "reject", {bench.dtrace, "-qn", "syscall:::entry /pid == 1/ { @ = count(); }"},
                 bpftrace(bench, "tracepoint:raw_syscalls:sys_enter /pid == 1/ { @ = count(); }"));
    measure(bench, {"syscall::getppid:entry /execname == \"nosuch\"/ { @ = count(); }", "reject_name",
                    "tracepoint:syscalls:sys_enter_getppid /comm == \"nosuch\"/ { @ = count(); }", 0.6});
}

void measure_record(const Bench& bench)
{
    measure_cost({"  + syscall::getppid:entry { printf(pid, execname) }", "ns/call", absent, absent, absent, "<= 450 ns, <= 1/12 x bpftrace, no loss", 450,
                  absent, 1.0 / 12, false, ""},
                 "record", {bench.dtrace, "-b", "64m", "-qn", "syscall::getppid:entry { printf(\"%d %s\\n\", pid, execname); }"},
                 bpftrace(bench, "tracepoint:syscalls:sys_enter_getppid { printf(\"%d %s\\n\", pid, comm); }"));
}

// Strings are data of a traced program: those of the getppid loop only, like everything that is not just counted.
void measure_keys(const Bench& bench)
{
    setenv("BPFTRACE_STRLEN", "200", 1); // the most it allows; ours is 256
    for (const Comparison& c : {
             Comparison{"syscall::getppid:entry { @[stack()] = count(); }", "by_stack", "tracepoint:syscalls:sys_enter_getppid { @[kstack] = count(); }"},
             Comparison{"syscall::getppid:entry { @[ustack()] = count(); }", "by_ustack", "tracepoint:syscalls:sys_enter_getppid { @[ustack] = count(); }"},
             Comparison{"syscall::getppid:entry { @[pid, tid] = sum(arg1); }", "sum_by_thread",
                        "tracepoint:raw_syscalls:sys_enter /args->id == 110/ { @[pid, tid] = sum(args->args[1]); }", 0.6},
             Comparison{"syscall::getppid:entry { @[copyinstr(arg1)] = count(); }", "by_text",
                        "tracepoint:raw_syscalls:sys_enter /args->id == 110/ { @[str(args->args[1])] = count(); }"},
         })
        measure(bench, c);
}

void measure_store(const Bench& bench)
{
    measure(bench, {"syscall::getppid:entry { a[tid] = timestamp; }", "store", "tracepoint:syscalls:sys_enter_getppid { @[tid] = nsecs; }", 0.7});
}

// Two million records are made as fast as possible and printed; what counts is the CPU time of the printing process.
void measure_storm(const Bench& bench)
{
    const long records = 2000000;
    double best = 0;
    std::string note;
    for (int i = 0; i < 3; i++) {
        auto command = bench.progs + "/storm " + std::to_string(records);
        Words words = {bench.dtrace, "-b", "256m", "-qn", "syscall::getppid:entry /pid == $target/ { printf(\"%d %s\\n\", pid, execname); }", "-c", command};
        auto idle = Tool({bench.dtrace, "-qn", "BEGIN { exit(0); }"}).wait();
        auto usage = Tool(words, "/dev/null").wait();
        if (usage.status != 0)
            return print_problem("records printed by the consumer", usage.err);
        double cpu_s = usage.cpu_s - idle.cpu_s;
        best = std::max(best, static_cast<double>(records) / cpu_s / 1e6);
        note = usage.err.substr(0, 120);
    }
    print_row({"records printed per second of one CPU", "million", best, absent, absent, ">= 2 million", 2, absent, absent, true, note});
}

const std::vector<std::pair<std::string, Measure>>& all_rows()
{
    static const std::vector<std::pair<std::string, Measure>> rows = {
        {"startup", measure_startup},     {"oneliner", measure_oneliner}, {"event", measure_event},
        {"reject", measure_reject},       {"keys", measure_keys},         {"store", measure_store},
        {"record", measure_record},       {"storm", measure_storm},       {"compile", measure_compile},
        {"catalogue", measure_catalogue}, {"memory", measure_memory},     {"function", measure_function},
        {"attach", measure_attach},       {"user", measure_user},         {"user-attach", measure_user_attach},
    };
    return rows;
}

} // namespace dt::bench
