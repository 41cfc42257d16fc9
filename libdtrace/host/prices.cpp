#include "libdtrace/host/prices.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/memory_file.hpp"
#include "base/time.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/trace.hpp"
#include "libdtrace/world/boot_cache.hpp"

namespace {

int plus_one(int value)
{
    return value + 1;
}

int (*volatile dt_priced_callee)(int) = plus_one;

} // namespace

/// What probes of functions of processes are put on. It begins as most functions do: a register is pushed, which the
/// kernel emulates. It ends with an instruction that the kernel steps over, which takes some times as long.
extern "C" [[gnu::noinline, gnu::used]] int dt_priced_function(int value)
{
    const int kept = dt_priced_callee(value);
    return dt_priced_callee(kept) + kept;
}

namespace dt {
namespace {

constexpr std::size_t kRuns = 101, kCalls = 250; // a run takes less than a millisecond, with the dearest of probes
constexpr std::size_t kRunsOfNothing = 31;       // of which one takes a millisecond and more
constexpr int kTries = 3;
constexpr int kTimes = 3; // it is measured
constexpr const char* kFile = "hook-prices";

/// A child that calls, and says how long a call took.
class Caller {
public:
    enum class What : char { Call, Name, Read, Function, Nothing };

    Caller()
    {
        if (pipe2(ask_.data(), O_CLOEXEC) != 0 || pipe2(answer_.data(), O_CLOEXEC) != 0)
            return;
        pid_ = fork();
        if (pid_ == 0)
            serve();
    }
    ~Caller()
    {
        for (const int descriptor : {ask_[0], ask_[1], answer_[0], answer_[1]})
            if (descriptor >= 0)
                close(descriptor);
        if (pid_ > 0)
            waitpid(pid_, nullptr, 0);
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    pid_t pid() const { return pid_; }

    /// Ns a call, the least of several runs: what else the machine does only adds; of nothing that of half of the runs.
    /// 0: it has ended.
    double time(What what)
    {
        double ns = 0;
        if (pid_ <= 0 || write(ask_[1], &what, sizeof what) != sizeof what ||
            read(answer_[0], &ns, sizeof ns) != sizeof ns)
            return 0;
        return ns;
    }

private:
    static void call(What what, int zeros)
    {
        char byte = 0;
        switch (what) {
        case What::Call:
            syscall(SYS_getppid);
            break;
        case What::Name:
            prctl(PR_SET_NAME, "dt_priced");
            break;
        case What::Read:
            if (read(zeros, &byte, 1) < 0)
                _exit(1);
            break;
        case What::Function:
            dt_priced_function(zeros);
            break;
        case What::Nothing:
            for (int i = 0; i < 20'000; ++i)
                asm volatile("");
            break;
        }
    }

    [[noreturn]] void serve()
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ask_[1]);
        const int zeros = open("/dev/null", O_RDONLY | O_CLOEXEC);
        for (What what{}; read(ask_[0], &what, sizeof what) == sizeof what;) {
            std::vector<double> runs;
            for (std::size_t run = 0; run < (what == What::Nothing ? kRunsOfNothing : kRuns); ++run) {
                const int64_t begin = now_ns(CLOCK_MONOTONIC);
                for (std::size_t i = 0; i < kCalls; ++i)
                    call(what, zeros);
                runs.push_back(static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin) / kCalls);
            }
            std::sort(runs.begin(), runs.end());
            const double ns = what == What::Nothing ? runs[runs.size() / 2] : runs.front();
            if (write(answer_[1], &ns, sizeof ns) != sizeof ns)
                break;
        }
        _exit(0);
    }

    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

/// Probes that fire once a call; PID is the child's. Which kind of hook they have depends on the kernel. Or a clock,
/// which fires while it does nothing: so often that it is noticed. (Several cost less each when they come together.)
constexpr struct {
    Caller::What what;
    const char* probe;
} kWays[] = {
    {Caller::What::Call, "syscall::getppid:entry"},
    {Caller::What::Name, "rawtp:task::task_rename"},
    {Caller::What::Name, "sdt:task::task_rename"},
    {Caller::What::Read, "fbt::read_null:entry"},
    {Caller::What::Read, "fbt::read_null:return"},
    {Caller::What::Read, "rawfbt::read_null:entry"},
    {Caller::What::Read, "rawfbt::read_null:return"},
    {Caller::What::Function, "pidPID:a.out:dt_priced_function:entry"},
    {Caller::What::Function, "pidPID:a.out:dt_priced_function:return"},
    {Caller::What::Nothing, "profile-4999"},
};
constexpr double kClockRate = 4999e-9; // firings a ns of a CPU that does not idle

struct Price {
    HookKind hook; ///< as it was attached
    output::OutsidePrice outside;
};

/// The only one of the trace.
std::optional<HookKind> hook_of(const Trace& trace)
{
    const std::vector<CountedProbe>& counted = trace.object().schema.counted;
    return counted.size() == 1 ? std::optional(counted.front().hook) : std::nullopt;
}

/// Of the probe, if `planned` is its kind of hook, which `is_kind` tells; nothing when it cannot be traced, or the
/// machine was too busy.
std::optional<Price> price_of(Caller& caller, Caller::What what, std::string probe, HookKind planned, bool& is_kind)
{
    const std::string pid = std::to_string(caller.pid());
    if (const std::size_t at = probe.find("PID"); at != std::string::npos)
        probe.replace(at, 3, pid);
    Options options;
    options.put("quiet");
    options.put("cost");
    Session session(options);
    if (!session.prepare())
        return {};
    const Result<MemoryFile> file = MemoryFile::make("prices");
    if (!file)
        return {};
    Output output(file.value().fd());
    Trace trace(session, session.options());
    const bool is_clock = what == Caller::What::Nothing;
    const std::string text = probe + (is_clock ? "" : " /pid == " + pid + "/") + " { @ = count(); }";
    if (!trace.add({Source::Kind::Script, "prices.d", text}, SpecKind::Script, {}) || !trace.compile())
        return {};
    is_kind = hook_of(trace) == planned;
    if (!is_kind)
        return {};
    const double before = caller.time(what);
    if (!trace.load() || !trace.attach(output) || !trace.activate())
        return {};
    const std::optional<HookKind> hook = hook_of(trace); // what the kernel does not attach is planned anew
    caller.time(what);                                   // caches and the kernel's own changes of code
    std::vector<double> traced;
    for (int i = 0; i < kTimes; ++i)
        traced.push_back(caller.time(what));
    const output::CostReport report = trace.costs();
    if (!trace.detach())
        return {};
    const double after = caller.time(what);
    if (!hook || report.probes.empty() || before == 0 || after == 0)
        return {};
    const double untraced = std::min(before, after), typical = report.probes.front().program.typical;
    for (double& each : traced)
        each = (is_clock ? (1 - untraced / each) / kClockRate : each - untraced) - typical;
    std::sort(traced.begin(), traced.end());
    const output::OutsidePrice price{traced[kTimes / 2], (traced.back() - traced.front()) / 2};
    return traced.front() > 0 ? std::optional(Price{*hook, price}) : std::nullopt;
}

/// A function's call of a program costs the same, whoever else calls that.
HookKind alike(HookKind kind)
{
    return kind.kind == ProgramKind::FentryMulti ? HookKind{ProgramKind::Fentry} : kind;
}

std::optional<Price> measure(Caller& caller, HookKind kind)
{
    for (const auto& way : kWays)
        for (int i = 0; i < kTries; ++i) {
            bool is_kind = false;
            const std::optional<Price> price = price_of(caller, way.what, way.probe, kind, is_kind);
            if (price)
                return price;
            if (!is_kind)
                break;
        }
    return {};
}

/// A line for each kind: its two numbers, the price, the spread.
std::map<HookKind, output::OutsidePrice> parse(const std::string& text)
{
    std::map<HookKind, output::OutsidePrice> prices;
    std::istringstream lines(text);
    int kind = 0, way = 0;
    for (output::OutsidePrice price; lines >> kind >> way >> price.ns >> price.spread;)
        prices[{static_cast<ProgramKind>(kind), static_cast<HookKind::Way>(way)}] = price;
    return prices;
}

std::string text_of(const std::map<HookKind, output::OutsidePrice>& prices)
{
    std::ostringstream text;
    for (const auto& [kind, price] : prices)
        text << static_cast<int>(kind.kind) << ' ' << static_cast<int>(kind.way) << ' ' << price.ns << ' '
             << price.spread << '\n';
    return text.str();
}

} // namespace

std::map<HookKind, output::OutsidePrice> outside_prices(const std::set<HookKind>& kinds)
{
    const BootCache cache(BootCache::default_directory(), BootCache::kernel_of("/proc", {}));
    std::map<HookKind, output::OutsidePrice> prices = parse(cache.read(kFile).value_or(std::string()));
    bool is_new = false;
    std::optional<Caller> caller;
    for (const HookKind& kind : kinds) {
        if (prices.contains(kind) || kind.kind == ProgramKind::TestRun)
            continue;
        if (!caller)
            caller.emplace();
        if (const std::optional<Price> price = measure(*caller, alike(kind))) {
            prices[kind] = prices[price->hook] = price->outside;
            is_new = true;
        }
    }
    if (is_new)
        cache.write(kFile, text_of(prices));
    prices[{ProgramKind::TestRun}] = {}; // it is this process that runs them
    return prices;
}

} // namespace dt
