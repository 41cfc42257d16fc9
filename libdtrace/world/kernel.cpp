// Implements the providers' view of the running kernel. Each fact is read on first use, from the cheapest source.
#include "libdtrace/world/kernel.hpp"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libdtrace/world/kernel_functions.hpp"
#include "libdtrace/world/processor_events.hpp"
#include "libdtrace/world/red_zone.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "libdtrace/world/tracefs.hpp"
#include "probes/trace_events.hpp"

namespace dt {
namespace {

constexpr const char* kRunning = "/sys/kernel/btf/vmlinux";

class LiveKernel final : public probes::KernelView {
public:
    explicit LiveKernel(KernelFacts facts)
        : facts_(std::move(facts)),
          processes_(live_processes(facts_.proc, facts_.session, facts_.prototypes, facts_.foreign))
    {
    }

    const machine::Machine& machine() const override { return other() ? *other()->machine : machine::native(); }

    KernelTypes* types() override { return facts_.types(); }

    bool has_kprobes() override { return other() || access("/sys/bus/event_source/devices/kprobe/type", F_OK) == 0; }

    std::span<const probes::KernelFunction> traceable() override
    {
        if (!traceable_ && other())
            traceable_ = std::make_unique<TraceableFunctions>(functions_with_types());
        if (!traceable_)
            traceable_ = TraceableFunctions::read(facts_.cache(),
                                                  [this] { return tracefs().read("available_filter_functions"); });
        return traceable_->all();
    }

    uint64_t symbol_address(std::string_view name) override
    {
        const auto found = facts_.symbols().lookup("vmlinux", name);
        return found ? found->address : 0;
    }

    int event_error(uint32_t type, uint64_t config) override
    {
        if (other())
            return 0; // the number cannot be known
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = type;
        attr.config = config;
        attr.sample_period = std::numeric_limits<int64_t>::max();
        attr.disabled = 1;
        const auto fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
        if (fd < 0)
            return errno;
        close(fd);
        return 0;
    }

    std::optional<probes::PerfEvent> processor_event(std::string_view name) override
    {
        return processor_events().find(name);
    }
    void for_each_processor_event(const VisitName& visit) override { processor_events().for_each(visit); }

    void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view> names) override
    {
        if (!other())
            visit_function_symbols(facts_.cache(), facts_.symbols(), visit, names);
    }

    bool wants_all_functions() override { return facts_.wants_all_functions(); }

    /// Looks for the name after "__x64_sys_" in the kernel's BTF. tracefs lists all system calls but is often not
    /// mounted. /proc/kallsyms has them too, but takes 50 ms to read. Without BTF every name is accepted, which is
    /// harmless: the tracepoint fires for any number.
    bool has_syscall(std::string_view name) override
    {
        if (!calls_)
            calls_ = calls_in(other() ? other()->btf : kRunning, machine());
        return calls_->empty() || calls_->contains(name);
    }

    /// On some machines 32-bit system calls can be switched off for all processes (vdso32-setup.c of the kernel). On
    /// others the kernel's functions show whether it supports them.
    bool has_narrow_syscalls() override
    {
        if (!other() && access((facts_.proc() + "/sys/abi/vsyscall32").c_str(), F_OK) == 0)
            return true;
        if (!has_narrow_)
            has_narrow_ = (other() || !machine().syscalls.has_narrow_switch) &&
                          has_narrow_calls(other() ? other()->btf : kRunning, machine());
        return *has_narrow_;
    }

    const std::vector<probes::TraceEvent>& trace_events() override
    {
        if (!events_ && other())
            events_.emplace();
        if (!events_)
            events_ = probes::read_trace_events(tracefs().read("available_events"), tracefs().read("dynamic_events"));
        return *events_;
    }

    std::optional<uint32_t> trace_event_number(const probes::TraceEvent& event) override
    {
        const std::string text = tracefs().read(folder(event) + "/id");
        uint32_t number = 0;
        return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{} ? std::optional(number)
                                                                                                 : std::nullopt;
    }

    std::string trace_event_format(const probes::TraceEvent& event) override
    {
        return tracefs().read(folder(event) + "/format");
    }

    probes::ProcessView& processes() override { return *processes_; }

    bool uprobes_clobber_red_zone() override
    {
        if (other())
            return machine().elf == machine::native().elf; // not known: assume the bug if the machine is the same
        if (!clobbers_red_zone_)
            clobbers_red_zone_ = dt::uprobes_clobber_red_zone();
        return *clobbers_red_zone_;
    }

private:
    /// Returns the described kernel, or null for the running kernel.
    const OtherKernel* other() const { return facts_.other ? facts_.other() : nullptr; }

    std::string functions_with_types()
    {
        std::string names;
        if (KernelTypes* const types = facts_.types())
            types->for_each_function("vmlinux", [&](std::string_view name, uint32_t) { names.append(name) += '\n'; });
        return names;
    }

    static std::string folder(const probes::TraceEvent& event) { return "events/" + event.group + "/" + event.name; }

    const Tracefs& tracefs()
    {
        if (!tracefs_)
            tracefs_.emplace();
        return *tracefs_;
    }

    KernelFacts facts_;
    std::optional<Tracefs> tracefs_;
    std::optional<std::vector<probes::TraceEvent>> events_;
    std::unique_ptr<TraceableFunctions> traceable_;
    std::optional<std::set<std::string, std::less<>>> calls_;
    std::unique_ptr<probes::ProcessView> processes_;
    std::optional<bool> clobbers_red_zone_, has_narrow_;
};

} // namespace

std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts)
{
    return std::make_unique<LiveKernel>(std::move(facts));
}

} // namespace dt
