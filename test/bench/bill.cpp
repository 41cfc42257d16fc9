// bench bill: what the tracer says that tracing costs (-x cost) beside what the loop says.
//
//   bench bill [ROUNDS]   how often each row is measured (3)
//
// A child calls in a loop, on the last CPU: without a trace, with one that counts its own cost, and without again. The
// trace's bill is, of each probe, what its programs take and what is outside of them; a call fires each probe once, so
// the bills of a row's probes add up to what the trace adds to a call.
#include "test/bench/bill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/caller.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {
int (*volatile billed_callee)(int) = [](int value) { return value + 1; };
}

/// What probes of functions of processes are put on.
extern "C" [[gnu::noinline, gnu::used]] int bench_billed(int value)
{
    const int kept = dt::bench::billed_callee(value);
    return dt::bench::billed_callee(kept) + kept;
}

namespace dt::bench {

namespace {

enum class What : char { Call, Name, Read, Function };

struct BillRow {
    const char* name;
    What what;
    const char* script; ///< PID is the child's
};

constexpr BillRow kRows[] = {
    {"syscall entry, a count", What::Call, "syscall::getppid:entry /pid == PID/ { @ = count(); }"},
    {"syscall entry, a record", What::Call, "syscall::getppid:entry /pid == PID/ { trace(arg0); }"},
    {"syscall entry and return", What::Call, "syscall::getppid: /pid == PID/ { @ = count(); }"},
    {"syscall entry, user stack", What::Call, "syscall::getppid:entry /pid == PID/ { @[ustack()] = count(); }"},
    {"rawtp", What::Name, "rawtp:task::task_rename /pid == PID/ { @ = count(); }"},
    {"sdt", What::Name, "sdt:task::task_rename /pid == PID/ { @ = count(); }"},
    {"fbt entry", What::Read, "fbt::read_null:entry /pid == PID/ { @ = count(); }"},
    {"fbt return", What::Read, "fbt::read_null:return /pid == PID/ { @ = count(); }"},
    {"fbt entry, a record", What::Read, "fbt::read_null:entry /pid == PID/ { trace(arg0); }"},
    {"rawfbt entry", What::Read, "rawfbt::read_null:entry /pid == PID/ { @ = count(); }"},
    {"pid entry", What::Function, "pidPID:a.out:bench_billed:entry { @ = count(); }"},
    {"pid return", What::Function, "pidPID:a.out:bench_billed:return { @ = count(); }"},
    {"pid entry, a record", What::Function, "pidPID:a.out:bench_billed:entry { trace(arg0); }"},
};

void call_billed(char what, int null)
{
    char byte = 0;
    switch (static_cast<What>(what)) {
    case What::Call:
        syscall(SYS_getppid);
        break;
    case What::Name:
        prctl(PR_SET_NAME, "billed");
        break;
    case What::Read:
        if (read(null, &byte, 1) < 0)
            _exit(1);
        break;
    case What::Function:
        bench_billed(null);
        break;
    }
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct Measured {
    double loop = 0; ///< ns that the trace adds to a call
    Bill bill;
};

std::optional<Measured> measure_bill(const BillRow& row, Caller& loop, const std::string& build)
{
    const auto kind = static_cast<char>(row.what);
    std::string script = std::string("BEGIN { printf(\"ready\"); } ") + row.script;
    for (std::size_t at = 0; (at = script.find("PID", at)) != std::string::npos;)
        script.replace(at, 3, std::to_string(loop.pid()));
    const std::string path = std::filesystem::temp_directory_path() / ("bill." + std::to_string(getpid()));
    const double before = loop.time(kind);
    Measured measured;
    {
        Tool tracer({build + "/dtrace", "-x", "cost", "-x", "format=jsonl", "-qn", script}, path);
        if (!wait_until_ready(tracer, path)) {
            tracer.interrupt();
            return {};
        }
        loop.time(kind); // caches, and the kernel's own changes of code
        measured.loop = loop.time(kind);
        tracer.interrupt();
    }
    measured.loop -= (before + loop.time(kind)) / 2;
    const std::optional<Bill> bill = read_bill(path);
    std::filesystem::remove(path);
    if (!bill || std::isnan(bill->outside))
        return {};
    measured.bill = *bill;
    return measured;
}

} // namespace

std::optional<Bill> read_bill(const std::string& path)
{
    Bill bill;
    bool has_probe = false;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line, nullptr, false);
        if (row.is_discarded() || row.value("type", "") != "cost" || row.value("of", "") != "probe" ||
            row.value("fired", 0) < Caller::kCalls) // BEGIN
            continue;
        has_probe = true;
        bill.program += row["mean_ps"].get<double>() / 1000;
        bill.outside += row.contains("outside_ps") ? row["outside_ps"].get<double>() / 1000 : absent;
    }
    return has_probe ? std::optional(bill) : std::nullopt;
}

int run_bill(const std::vector<std::string>& words, const std::string& build)
{
    const int rounds = words.empty() ? 3 : std::clamp(std::atoi(words[0].c_str()), 1, 100);
    std::printf("| row | loop, ns a call | bill | program | outside | bill / loop |\n|---|---|---|---|---|---|\n");
    for (const BillRow& row : kRows) {
        Caller loop(call_billed);
        std::vector<double> loops, programs, outsides, ratios;
        for (int i = 0; i < rounds; ++i)
            if (const auto measured = measure_bill(row, loop, build)) {
                loops.push_back(measured->loop);
                programs.push_back(measured->bill.program);
                outsides.push_back(measured->bill.outside);
                ratios.push_back((measured->bill.program + measured->bill.outside) / measured->loop);
            }
        if (loops.empty()) {
            std::printf("| %s | - | - | - | - | - |\n", row.name);
            continue;
        }
        const double program = median(programs), outside = median(outsides);
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        std::printf("| %s | %s | %s | %s | %s | %.2f (%.2f to %.2f) |\n", row.name, number(median(loops)).c_str(),
                    number(program + outside).c_str(), number(program).c_str(), number(outside).c_str(), median(ratios),
                    *least, *most);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace dt::bench
