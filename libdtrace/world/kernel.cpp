// The running kernel, as providers look at it: each fact is read when it is first asked for, from where it is cheapest.
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
#include "probes/btf_file.hpp"
#include "probes/trace_events.hpp"

namespace dt {
namespace {

/// Names behind "__x64_sys_" in the kernel's BTF. tracefs would tell which calls there are, but is often not mounted;
/// /proc/kallsyms would tell, but takes 50 ms to read. The BTF is searched in 1 ms, and has that name in its strings
/// for each call that takes arguments.
std::set<std::string, std::less<>> implemented_calls()
{
    static constexpr std::string_view kPrefix = "__x64_sys_";
    std::set<std::string, std::less<>> names;
    const auto kernel = probes::BtfFile::open("/sys/kernel/btf/vmlinux");
    if (!kernel)
        return names;
    const std::string_view strings = kernel.value()->strings();
    const char* at = strings.data();
    const char* const end = at + strings.size();
    // memmem is several times faster than std::string::find here.
    while ((at = static_cast<const char*>(
                memmem(at, static_cast<std::size_t>(end - at), kPrefix.data(), kPrefix.size())))) {
        const bool starts_string = at != strings.data() && at[-1] == '\0';
        at += kPrefix.size();
        if (starts_string)
            names.emplace(at);
    }
    return names;
}

class LiveKernel final : public probes::KernelView {
public:
    explicit LiveKernel(KernelFacts facts)
        : facts_(std::move(facts)),
          processes_(live_processes(facts_.proc, facts_.session, facts_.prototypes, facts_.foreign))
    {
    }

    KernelTypes* types() override { return facts_.types(); }

    bool has_kprobes() override { return access("/sys/bus/event_source/devices/kprobe/type", F_OK) == 0; }

    std::span<const probes::KernelFunction> traceable() override
    {
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
        visit_function_symbols(facts_.cache(), facts_.symbols(), visit, names);
    }

    bool wants_all_functions() override { return facts_.wants_all_functions(); }

    /// Without BTF every call counts as there, which does no harm: the tracepoint fires for any number.
    bool has_syscall(std::string_view name) override
    {
        if (!calls_)
            calls_ = implemented_calls();
        return calls_->empty() || calls_->contains(name);
    }

    /// What they find in every process can be switched off, where there are any (vdso32-setup.c of the kernel).
    bool has_narrow_syscalls() override { return access((facts_.proc() + "/sys/abi/vsyscall32").c_str(), F_OK) == 0; }

    const std::vector<probes::TraceEvent>& trace_events() override
    {
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
        if (!clobbers_red_zone_)
            clobbers_red_zone_ = dt::uprobes_clobber_red_zone();
        return *clobbers_red_zone_;
    }

private:
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
    std::optional<bool> clobbers_red_zone_;
};

} // namespace

std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts)
{
    return std::make_unique<LiveKernel>(std::move(facts));
}

} // namespace dt
