// bench bill: compares the tracing cost reported by the tracer (-x cost) with the cost measured by a loop.
//
//   bench bill [ROUNDS [RUNS [ROWS]]]   rounds per row (5; four times as many if the trace adds less than 1 µs to a
//                                       call, twelve times for clocks), runs of 500 calls per round (1001), and a text
//                                       that the names of the measured rows contain (default: all rows)
//     --markdown FILE                   writes the table into its section of the file ("bill")
//
// Requirement: the median of the reported cost over all rounds differs by at most a tenth from the cost that the loop
// measures.
//
// A child process calls a system call or function in a loop on the last CPU. The loop is timed without a trace, then
// with a trace under -x cost, then without a trace again. The trace reports for each probe the time of its BPF programs
// and the hook overhead. Their sum should equal the time that the trace adds to a call. Both times are means, because
// the time of writing a record depends on whether the reader reads the same mmap ring at that moment.
//
// For a profile probe, which fires on a clock, the child runs an empty loop many times. Loops that are interrupted take
// longer than the median loop. The bench expresses their additional time in ns per microsecond of loop time. It does
// not subtract untraced from traced loop times: within seconds, the speed of the loop changes almost as much as tracing
// costs.
#include "test/bench/bill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/caller.hpp"
#include "test/bench/machine.hpp"
#include "test/bench/report.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {
int (*volatile billed_callee)(int) = [](int value) { return value + 1; };
}

/// Function that the measured pid probes are attached to.
extern "C" [[gnu::noinline, gnu::used]] int bench_billed(int value)
{
    const int kept = dt::bench::billed_callee(value);
    return dt::bench::billed_callee(kept) + kept;
}

namespace dt::bench {

namespace {

enum class What : char { Call, Name, Read, Function, Nothing };

struct BillRow {
    const char* name;
    What what;
    /// in the scripts, PID stands for the child's pid, and OFFSET for the offset of an instruction of bench_billed()
    const char* script;
};

// Rate at which a single profile probe takes a twentieth of the CPU time. If several probes fire in one interrupt, the
// tracer's cost report counts each firing.
#define CLOCK "profile-4999"
#define CLOCKS CLOCK ", profile-4998, profile-4997, profile-4996"

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
    {"pid offset", What::Function, "pidPID:a.out:bench_billed:OFFSET { @ = count(); }"},
    {"profile", What::Nothing, CLOCK " { @ = count(); }"},
    {"profile, a record", What::Nothing, CLOCK " { trace(arg1); }"},
    {"profile, kernel stack", What::Nothing, CLOCK " { @[stack()] = count(); }"},
    {"profile, four clocks", What::Nothing, CLOCKS " { @ = count(); }"},
};

/// Returns the offset of the instruction after the first push in bench_billed(), in hexadecimal. The offset is used as
/// a probe name. An endbr64 may precede the push.
std::string offset_in_billed()
{
    constexpr unsigned char kPush = 0x55;
    const auto* const code = reinterpret_cast<const unsigned char*>(bench_billed);
    return code[0] == kPush ? "1" : code[4] == kPush ? "5" : "0";
}

void replace_all(std::string& text, std::string_view from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

constexpr int kNothing = 20; // iterations of the empty loop, so few that most runs are not interrupted
// Profile probes are measured with this many times more runs, because a run of the empty loop takes only a fifteenth of
// the time of other runs.
constexpr int kMoreOfNothing = 50;
constexpr double kMicrosecond = 1000; // number of ns in a microsecond
constexpr int kRunsOfBill = 1001, kRoundsOfBill = 5;
// Profile probes are measured in this many times more rounds, because a round of the empty loop takes only a fifteenth
// of the time of other rounds.
constexpr int kMoreRoundsOfClocks = 12;
// If the trace adds little to a call, this many times more rounds are measured, because the time of an untraced call
// varies from 165 to 215 ns.
constexpr int kMoreRounds = 4;
constexpr double kOverSoon = 1000; // if the trace adds less than this number of ns to a call, more rounds are measured
// largest allowed difference between the tracer's reported cost and the loop's measured cost, as a fraction of the
// latter
constexpr double kBillAsk = 0.1;

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
    case What::Nothing:
        for (int i = 0; i < kNothing; ++i)
            asm volatile("");
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
    double loop = 0; ///< ns that the trace adds to a call, measured by the loop
    Bill bill;
};

std::optional<Measured> measure_bill(const BillRow& row, Caller& loop, const std::string& build)
{
    const auto kind = static_cast<char>(row.what);
    std::string script = std::string("BEGIN { printf(\"ready\"); } ") + row.script;
    replace_all(script, "PID", std::to_string(loop.pid()));
    replace_all(script, "OFFSET", offset_in_billed());
    const std::string path = std::filesystem::temp_directory_path() / ("bill." + std::to_string(getpid()));
    const double before = loop.time(kind);
    Measured measured;
    {
        const std::string cpu = "cpu=" + std::to_string(sysconf(_SC_NPROCESSORS_ONLN) - 1);
        std::vector<std::string> command{build + "/dtrace", "-x", "cost", "-x", "format=jsonl", "-qn", script};
        if (row.what == What::Nothing)
            command.insert(command.begin() + 1, {"-x", cpu});
        Tool tracer(command, path);
        if (!wait_until_ready(tracer, path)) {
            tracer.interrupt();
            return {};
        }
        // The tracer's report includes the first firings, which find cold caches. So the loop is also measured twice,
        // with cold and with warm caches, and the mean is used.
        const double cold = loop.time(kind);
        measured.loop = (cold + loop.time(kind)) / 2;
        tracer.interrupt();
    }
    const std::optional<Bill> bill = read_bill(path);
    std::filesystem::remove(path);
    if (!bill || std::isnan(bill->outside))
        return {};
    measured.bill = *bill;
    // a profile probe does not fire once per call, so its reported share of CPU time is converted to ns
    if (row.what == What::Nothing) {
        const double elapsed = kMicrosecond * (1 + measured.loop);
        measured.bill.program = bill->program_share * elapsed;
        measured.bill.outside = bill->outside_share * elapsed;
    }
    measured.loop -= (before + loop.time(kind)) / 2;
    if (row.what == What::Nothing)
        measured.loop *= kMicrosecond;
    return measured;
}

} // namespace

std::optional<Bill> read_bill(const std::string& path)
{
    Bill bill;
    bool has_probe = false;
    double elapsed = 1;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line, nullptr, false);
        if (row.is_discarded() || row.value("type", "") != "cost")
            continue;
        elapsed = row.value("elapsed", elapsed);
        // BEGIN fires only once and is excluded
        if (row.value("of", "") != "probe" || row.value("fired", 0) < Caller::kCalls)
            continue;
        has_probe = true;
        const double program = row["mean_ps"].get<double>() / 1000, fired = row["fired"].get<double>();
        const double outside = row.contains("outside_ps") ? row["outside_ps"].get<double>() / 1000 : absent;
        bill.program += program;
        bill.outside += outside;
        bill.program_share += fired * program;
        bill.outside_share += fired * outside;
    }
    bill.program_share /= elapsed;
    bill.outside_share /= elapsed;
    return has_probe ? std::optional(bill) : std::nullopt;
}

namespace {

/// Returns a row's line in the Markdown table.
std::string bill_line(const BillRow& row, int rounds, int runs, const std::string& build)
{
    const bool is_clock = row.what == What::Nothing;
    std::vector<double> loops, programs, outsides, ratios;
    const int more = rounds * (is_clock ? kMoreRoundsOfClocks : kMoreRounds);
    for (int i = 0; i < rounds || (i < more && !loops.empty() && loops.front() < kOverSoon); ++i) {
        // Each round uses a new child process, because the speed of calls differs between processes.
        Caller loop(call_billed, is_clock ? runs * kMoreOfNothing : runs,
                    is_clock ? Caller::Says::Interrupted : Caller::Says::Mean);
        if (const auto measured = measure_bill(row, loop, build)) {
            loops.push_back(measured->loop);
            programs.push_back(measured->bill.program);
            outsides.push_back(measured->bill.outside);
            ratios.push_back((measured->bill.program + measured->bill.outside) / measured->loop);
        }
    }
    if (loops.empty())
        return std::string("| ") + row.name + " | - | - | - | - | - | cannot be traced here |";
    const double program = median(programs), outside = median(outsides), ratio = median(ratios);
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    char range[64];
    std::snprintf(range, sizeof range, "%.2f (%.2f to %.2f)", ratio, *least, *most);
    return std::string("| ") + row.name + " | " + number(median(loops)) + " | " + number(program + outside) + " | " +
           number(program) + " | " + number(outside) + " | " + range + " | " +
           (std::fabs(ratio - 1) <= kBillAsk ? "yes" : "NO") + " |";
}

bool write_part(const std::string& path, const std::string& table)
{
    std::ifstream before(path);
    const std::string text(std::istreambuf_iterator<char>(before), {});
    std::ofstream stream(path);
    stream << with_part(text, "bill", table);
    return stream.flush().good();
}

} // namespace

int run_bill(const std::vector<std::string>& all_words, const std::string& build)
{
    std::vector<std::string> words = all_words;
    std::string markdown;
    if (const auto option = std::find(words.begin(), words.end(), "--markdown");
        option != words.end() && option + 1 != words.end()) {
        markdown = *(option + 1);
        words.erase(option, option + 2);
    }
    const int rounds = words.empty() ? kRoundsOfBill : std::clamp(std::atoi(words[0].c_str()), 1, 100);
    const int runs = words.size() < 2 ? kRunsOfBill : std::clamp(std::atoi(words[1].c_str()), 1, 100'000);
    std::string table;
    const auto say = [&](const std::string& line) {
        table += line + "\n";
        std::printf("%s\n", line.c_str());
        std::fflush(stdout);
    };
    say("Load at begin: " + number(load()) + ". " + std::to_string(rounds) +
        " rounds, and four times as many of rows below 1 µs, twelve times of clocks.\n");
    say("| row | loop, ns a call | bill | program | outside | bill / loop | within 10 % "
        "|\n|---|---|---|---|---|---|---|");
    for (const BillRow& row : kRows)
        if (words.size() < 3 || std::string(row.name).find(words[2]) != std::string::npos)
            say(bill_line(row, rounds, runs, build));
    say("\nLoad at end: " + number(load()) + ".");
    if (!markdown.empty() && !write_part(markdown, table))
        std::fprintf(stderr, "bench: %s could not be written\n", markdown.c_str());
    return 0;
}

} // namespace dt::bench
