// bench bill: what the tracer says that tracing costs (-x cost) beside what the loop says.
//
//   bench bill [ROUNDS]   how often each row is measured (3)
//
// A child calls in a loop, on the last CPU: without a trace, with one that counts its own cost, and without again. The
// trace's bill is, of each probe, what its programs take and what is outside of them; a call fires each probe once, so
// the bills of a row's probes add up to what the trace adds to a call.
#include "test/bench/bill.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/loop.hpp"
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

constexpr int kRuns = 201, kCalls = 500;
constexpr int kReady = 10'000; // ms

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

void call(What what, int null)
{
    char byte = 0;
    switch (what) {
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

/// A child that calls when it is told to.
class BilledLoop {
public:
    BilledLoop()
    {
        if (pipe2(ask_.data(), O_CLOEXEC) != 0 || pipe2(answer_.data(), O_CLOEXEC) != 0 || (pid_ = fork()) < 0)
            std::exit(1);
        if (pid_ == 0)
            serve();
    }
    ~BilledLoop()
    {
        close(ask_[1]);
        waitpid(pid_, nullptr, 0);
    }
    BilledLoop(const BilledLoop&) = delete;
    BilledLoop& operator=(const BilledLoop&) = delete;

    pid_t pid() const { return pid_; }

    /// Ns a call.
    double time(What what)
    {
        double ns = 0;
        if (write(ask_[1], &what, sizeof what) != sizeof what || read(answer_[0], &ns, sizeof ns) != sizeof ns)
            std::exit(1);
        return ns;
    }

private:
    [[noreturn]] void serve()
    {
        close(ask_[1]);
        use_loop_cpu();
        const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        for (What what{}; read(ask_[0], &what, sizeof what) == sizeof what;) {
            std::vector<double> runs;
            for (int run = 0; run < kRuns; ++run) {
                const long long begin = monotonic_ns();
                for (int i = 0; i < kCalls; ++i)
                    call(what, null);
                runs.push_back(static_cast<double>(monotonic_ns() - begin) / kCalls);
            }
            const double ns = median(runs);
            if (write(answer_[1], &ns, sizeof ns) != sizeof ns)
                break;
        }
        _exit(0);
    }

    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

struct Bill {
    double program = 0, outside = 0; ///< ns a call
};

/// Of the probes of the row; nothing when one has no price of what is outside.
std::optional<Bill> read_bill(const std::string& path)
{
    Bill bill;
    bool has_probe = false;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line, nullptr, false);
        if (row.is_discarded() || row.value("type", "") != "cost" || row.value("of", "") != "probe" ||
            row.value("fired", 0) < kCalls) // BEGIN
            continue;
        if (!row.contains("outside_ps"))
            return {};
        has_probe = true;
        bill.program += row["mean_ps"].get<double>() / 1000;
        bill.outside += row["outside_ps"].get<double>() / 1000;
    }
    return has_probe ? std::optional(bill) : std::nullopt;
}

/// False: the tracer has ended.
bool wait_until_ready(const Tool& tool, const std::string& path)
{
    for (int ms = 0; ms < kReady && tool.running(); ms += 10) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        if (text.str().find("ready") != std::string::npos)
            return true;
        usleep(10'000);
    }
    return false;
}

struct Measured {
    double loop = 0; ///< ns that the trace adds to a call
    Bill bill;
};

std::optional<Measured> measure_bill(const BillRow& row, BilledLoop& loop, const std::string& build)
{
    std::string script = std::string("BEGIN { printf(\"ready\"); } ") + row.script;
    for (std::size_t at = 0; (at = script.find("PID", at)) != std::string::npos;)
        script.replace(at, 3, std::to_string(loop.pid()));
    const std::string path = std::filesystem::temp_directory_path() / ("bill." + std::to_string(getpid()));
    const double before = loop.time(row.what);
    Measured measured;
    {
        Tool tracer({build + "/dtrace", "-x", "cost", "-x", "format=jsonl", "-qn", script}, path);
        if (!wait_until_ready(tracer, path)) {
            tracer.interrupt();
            return {};
        }
        loop.time(row.what); // caches, and the kernel's own changes of code
        measured.loop = loop.time(row.what);
        tracer.interrupt();
    }
    measured.loop -= (before + loop.time(row.what)) / 2;
    const std::optional<Bill> bill = read_bill(path);
    std::filesystem::remove(path);
    if (!bill)
        return {};
    measured.bill = *bill;
    return measured;
}

} // namespace

int run_bill(const std::vector<std::string>& words, const std::string& build)
{
    const int rounds = words.empty() ? 3 : std::clamp(std::atoi(words[0].c_str()), 1, 100);
    std::printf("| row | loop, ns a call | bill | program | outside | bill / loop |\n|---|---|---|---|---|---|\n");
    for (const BillRow& row : kRows) {
        BilledLoop loop;
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
