// Attaches programs to the CPU clock and other events of perf: one perf event per CPU, or on one CPU.
//
// The program is set on each descriptor (PERF_EVENT_IOC_SET_BPF), so no BPF link is created.
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "probes/attach/mechanisms.hpp"
#include "probes/attach/missed_ticks.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::probes {
namespace {

Error refused(const char* what, int code)
{
    std::string message = std::string("cannot ") + what + " a perf event: " + std::strerror(code);
    if (code == EMFILE)
        message += " (raise the limit of open files: ulimit -n)";
    else if (code == EPERM || code == EACCES)
        message += " (" + perf_permission_needed() + ")";
    return {std::move(message), code};
}

/// The perf event that the text of an attach target describes.
struct Request {
    uint64_t period = 0; ///< distance between two firings: in ns for a clock, otherwise as a number of events
    bool all = false;    ///< whether the event is counted on all CPUs
    uint32_t type = PERF_TYPE_SOFTWARE;
    uint64_t config = PERF_COUNT_SW_CPU_CLOCK;
    bool user = true, kernel = true; ///< processor modes in which the event is counted
    /// PERF_TYPE_BREAKPOINT: the watched memory, and the kind of access (enum HW_BREAKPOINT_…).
    uint64_t address = 0, length = 0;
    uint32_t access = 0;
    uint32_t number = 0; ///< PERF_TYPE_BREAKPOINT: 1 for the program's first breakpoint, 2 for the second, …
};

template <typename Number> bool read_number(std::string_view text, Number& number, int base = 10)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && stop == text.data() + text.size();
}

std::vector<std::string_view> split_at(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t start = 0, end; start <= text.size(); start = end + 1) {
        end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
    }
    return parts;
}

/// Parses the memory of a breakpoint: "0xADDRESS/SIZE/ACCESS/NUMBER".
bool read_memory(std::string_view text, Request& request)
{
    const auto parts = split_at(text, '/');
    return parts.size() == 4 && parts[0].starts_with("0x") && read_number(parts[0].substr(2), request.address, 16) &&
           read_number(parts[1], request.length) && read_number(parts[2], request.access) &&
           read_number(parts[3], request.number);
}

/// Parses the text of an attach target. The text is "PERIOD:all" or "PERIOD:one" of the CPU clock, or
/// "PERIOD:all:TYPE:CONFIG" of another event, with ":user" or ":kernel" if the event counts only in that mode. For
/// PERF_TYPE_BREAKPOINT the memory follows.
std::optional<Request> request_of(std::string_view target)
{
    const auto parts = split_at(target, ':');
    Request request;
    const bool good =
        parts.size() >= 2 && parts.size() != 3 && read_number(parts[0], request.period) &&
        (parts.size() < 4 || (read_number(parts[2], request.type) && read_number(parts[3], request.config)));
    if (!good)
        return {};
    request.all = parts[1] == "all";
    if (request.type == PERF_TYPE_BREAKPOINT)
        return parts.size() == 5 && read_memory(parts[4], request) ? std::optional(request) : std::nullopt;
    request.user = parts.size() < 5 || parts[4] != "kernel";
    request.kernel = parts.size() < 5 || parts[4] != "user";
    return request;
}

/// Returns the error for an event that could not be opened.
Error refused_open(const Request& request, int code)
{
    if (request.type != PERF_TYPE_BREAKPOINT || code != ENOSPC)
        return refused("open", code);
    return {"cannot watch memory: watchpoint " + std::to_string(request.number) +
                " of the program finds no free breakpoint register in the processor. In use are those of the " +
                std::to_string(request.number - 1) +
                " watchpoints before it, and of other tracers and debuggers: watch less memory",
            code};
}

/// Opens the event on a CPU. Returns a descriptor or a negative errno.
int open_event(const Request& request, int cpu)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = request.type;
    attr.config = request.config;
    attr.sample_period = request.period;
    attr.wakeup_events = 1;
    attr.disabled = 1;
    attr.exclude_user = !request.user;
    attr.exclude_kernel = !request.kernel;
    if (request.type == PERF_TYPE_BREAKPOINT) {
        attr.bp_addr = request.address;
        attr.bp_len = request.length;
        attr.bp_type = request.access;
    }
    const auto fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    return fd < 0 ? -errno : fd;
}

/// The open perf events of a program: one per CPU, or one on a single CPU.
class Events final : public Attachment {
public:
    Events(Request request, int program, bool is_bound)
        : request_(request), program_(fcntl(program, F_DUPFD_CLOEXEC, 0)), is_bound_(is_bound)
    {
    }
    ~Events() override
    {
        if (program_ >= 0)
            close(program_);
        for (const auto& [cpu, fd] : fds_)
            close(fd);
    }

    /// Adds a CPU. It is no error if the CPU is offline.
    Result<void> add(int cpu)
    {
        const int fd = open_event(request_, cpu);
        if (fd == -ENODEV && !is_bound_)
            return {};
        if (fd < 0)
            return refused_open(request_, -fd);
        fds_[cpu] = fd;
        if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_) != 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0)
            return refused("attach to", errno);
        if (tick_)
            tick_->begin(cpu);
        return {};
    }

    void count_runs_in(volatile dt_tick* tick) override
    {
        const auto open = [this](int cpu, uint64_t period) {
            Request again = request_;
            again.period = period;
            const int fd = open_event(again, cpu);
            if (fd >= 0)
                ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_);
            return fd;
        };
        tick_.emplace(*tick, request_.period, open);
        tick_->begin(fds_.begin()->first);
    }

    void repeat_late_ticks() override { tick_->check(); }
    int64_t until_tick_is_late() const override { return tick_->until_tick_is_late(MissedTick::now()); }

    bool wants_more() const { return request_.all || fds_.empty(); }
    bool empty() const { return fds_.empty(); }

    /// Closes the events of offline CPUs, which the kernel has ended, and opens events on CPUs that have come online.
    void follow_cpus(const std::vector<int>& online) override
    {
        for (auto event = fds_.begin(); event != fds_.end();)
            if (std::find(online.begin(), online.end(), event->first) == online.end()) {
                close(event->second);
                event = fds_.erase(event);
            } else {
                ++event;
            }
        for (const int cpu : online)
            if (!is_bound_ && wants_more() && !fds_.contains(cpu))
                // The result is ignored: if the CPU has gone offline again, the next change of the online CPUs calls
                // this code again.
                static_cast<void>(add(cpu));
    }

private:
    Request request_;
    /// duplicate of the program's descriptor, needed to add CPUs after all other descriptors of the program were closed
    int program_;
    bool is_bound_; ///< whether the attachment is bound to the CPU of -x cpu
    std::map<int, int> fds_;
    std::optional<MissedTick> tick_;
};

/// Attaches the program by a link to an event on the first online CPU from `first` to `last`.
Result<Attached> with_link(int program, const Request& request, int first, int last)
{
    int event = -ENODEV;
    for (int cpu = first; cpu <= last && event == -ENODEV; ++cpu)
        event = open_event(request, cpu);
    if (event < 0)
        return refused("open", -event);
    auto hooked = attach_to_event(program, event, 0);
    if (!hooked)
        return refused("attach to", errno);
    return attached(std::move(hooked));
}

class PerfEventMechanism final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        const auto request = request_of(plan.targets.front().where);
        if (!request)
            return Error{"malformed perf event: " + plan.targets.front().where};

        auto events = std::make_unique<Events>(*request, program, options.cpu.has_value());
        const int first = options.cpu ? static_cast<int>(*options.cpu) : 0;
        const int last = options.cpu ? first : libbpf_num_possible_cpus() - 1;
        if (plan.has_link)
            return with_link(program, *request, first, last);
        for (int cpu = first; cpu <= last && events->wants_more(); ++cpu)
            if (Result<void> added = events->add(cpu); !added)
                return added.error();
        if (events->empty())
            return refused("open", ENODEV);
        return attached(std::move(events));
    }
};

} // namespace

const AttachMechanism& perf_event_mechanism()
{
    static const PerfEventMechanism mechanism;
    return mechanism;
}

} // namespace dt::probes
