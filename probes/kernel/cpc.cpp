// cpc:::EVENT-MODE-COUNT: fires at every COUNTth event of the processor or of the kernel, on every CPU
// (dtrace-providers(7), cpc).
//
// The events are those of perf (perf_event_open(2)). Software events work on every machine, hardware events only if
// counters are available, which can be determined only by opening an event. Events of specific processor models are
// named by their number: rHEX.
#include <linux/perf_event.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>

#include "base/linkage.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

struct NamedEvent {
    std::string_view name;
    PerfEvent event;
};

constexpr PerfEvent software(uint64_t number)
{
    return {PERF_TYPE_SOFTWARE, number};
}
constexpr PerfEvent hardware(uint64_t number)
{
    return {PERF_TYPE_HARDWARE, number};
}
constexpr PerfEvent cache(uint64_t which, uint64_t operation, uint64_t result)
{
    return {PERF_TYPE_HW_CACHE, which | operation << 8 | result << 16};
}
constexpr uint64_t kRead = PERF_COUNT_HW_CACHE_OP_READ, kWrite = PERF_COUNT_HW_CACHE_OP_WRITE,
                   kPrefetch = PERF_COUNT_HW_CACHE_OP_PREFETCH;
constexpr uint64_t kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS, kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;

/// New names must be appended, because the position of a name in this list is part of the probe's index in the
/// provider.
constexpr NamedEvent kEvents[] = {
    {"cpu_clock", software(PERF_COUNT_SW_CPU_CLOCK)},
    {"task_clock", software(PERF_COUNT_SW_TASK_CLOCK)},
    {"page_faults", software(PERF_COUNT_SW_PAGE_FAULTS)},
    {"faults", software(PERF_COUNT_SW_PAGE_FAULTS)},
    {"context_switches", software(PERF_COUNT_SW_CONTEXT_SWITCHES)},
    {"cs", software(PERF_COUNT_SW_CONTEXT_SWITCHES)},
    {"cpu_migrations", software(PERF_COUNT_SW_CPU_MIGRATIONS)},
    {"migrations", software(PERF_COUNT_SW_CPU_MIGRATIONS)},
    {"minor_faults", software(PERF_COUNT_SW_PAGE_FAULTS_MIN)},
    {"major_faults", software(PERF_COUNT_SW_PAGE_FAULTS_MAJ)},
    {"alignment_faults", software(PERF_COUNT_SW_ALIGNMENT_FAULTS)},
    {"emulation_faults", software(PERF_COUNT_SW_EMULATION_FAULTS)},
    {"cycles", hardware(PERF_COUNT_HW_CPU_CYCLES)},
    {"cpu_cycles", hardware(PERF_COUNT_HW_CPU_CYCLES)},
    {"instructions", hardware(PERF_COUNT_HW_INSTRUCTIONS)},
    {"cache_references", hardware(PERF_COUNT_HW_CACHE_REFERENCES)},
    {"cache_misses", hardware(PERF_COUNT_HW_CACHE_MISSES)},
    {"branch_instructions", hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS)},
    {"branches", hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS)},
    {"branch_misses", hardware(PERF_COUNT_HW_BRANCH_MISSES)},
    {"bus_cycles", hardware(PERF_COUNT_HW_BUS_CYCLES)},
    {"stalled_cycles_frontend", hardware(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND)},
    {"stalled_cycles_backend", hardware(PERF_COUNT_HW_STALLED_CYCLES_BACKEND)},
    {"ref_cycles", hardware(PERF_COUNT_HW_REF_CPU_CYCLES)},
    {"l1_dcache_loads", cache(PERF_COUNT_HW_CACHE_L1D, kRead, kAccess)},
    {"l1_dcache_load_misses", cache(PERF_COUNT_HW_CACHE_L1D, kRead, kMiss)},
    {"l1_dcache_stores", cache(PERF_COUNT_HW_CACHE_L1D, kWrite, kAccess)},
    {"l1_dcache_store_misses", cache(PERF_COUNT_HW_CACHE_L1D, kWrite, kMiss)},
    {"l1_dcache_prefetches", cache(PERF_COUNT_HW_CACHE_L1D, kPrefetch, kAccess)},
    {"l1_dcache_prefetch_misses", cache(PERF_COUNT_HW_CACHE_L1D, kPrefetch, kMiss)},
    {"l1_icache_loads", cache(PERF_COUNT_HW_CACHE_L1I, kRead, kAccess)},
    {"l1_icache_load_misses", cache(PERF_COUNT_HW_CACHE_L1I, kRead, kMiss)},
    {"llc_loads", cache(PERF_COUNT_HW_CACHE_LL, kRead, kAccess)},
    {"llc_load_misses", cache(PERF_COUNT_HW_CACHE_LL, kRead, kMiss)},
    {"llc_stores", cache(PERF_COUNT_HW_CACHE_LL, kWrite, kAccess)},
    {"llc_store_misses", cache(PERF_COUNT_HW_CACHE_LL, kWrite, kMiss)},
    {"dtlb_loads", cache(PERF_COUNT_HW_CACHE_DTLB, kRead, kAccess)},
    {"dtlb_load_misses", cache(PERF_COUNT_HW_CACHE_DTLB, kRead, kMiss)},
    {"dtlb_stores", cache(PERF_COUNT_HW_CACHE_DTLB, kWrite, kAccess)},
    {"dtlb_store_misses", cache(PERF_COUNT_HW_CACHE_DTLB, kWrite, kMiss)},
    {"itlb_loads", cache(PERF_COUNT_HW_CACHE_ITLB, kRead, kAccess)},
    {"itlb_load_misses", cache(PERF_COUNT_HW_CACHE_ITLB, kRead, kMiss)},
    {"branch_loads", cache(PERF_COUNT_HW_CACHE_BPU, kRead, kAccess)},
    {"branch_load_misses", cache(PERF_COUNT_HW_CACHE_BPU, kRead, kMiss)},
    {"node_loads", cache(PERF_COUNT_HW_CACHE_NODE, kRead, kAccess)},
    {"node_load_misses", cache(PERF_COUNT_HW_CACHE_NODE, kRead, kMiss)},
    {"node_stores", cache(PERF_COUNT_HW_CACHE_NODE, kWrite, kAccess)},
    {"node_store_misses", cache(PERF_COUNT_HW_CACHE_NODE, kWrite, kMiss)},
};

constexpr uint32_t kMaxEvents = 128; ///< upper bound of the probes' indexes in this provider
static_assert(std::size(kEvents) <= kMaxEvents);
constexpr std::string_view kListed = "-all-1000000000"; ///< how the names of listed probes end: mode and count

/// Parses a number. Fails if the text contains anything else.
template <typename Number> std::optional<Number> number_of(std::string_view text, int base)
{
    Number number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    return error == std::errc{} && stop == end && !text.starts_with('-') ? std::optional(number) : std::nullopt;
}

std::optional<PerfEvent> event_of(KernelView& kernel, std::string_view name)
{
    for (const NamedEvent& known : kEvents)
        if (known.name == name)
            return known.event;
    if (name.starts_with('r'))
        if (const auto number = number_of<uint64_t>(name.substr(1), 16))
            return PerfEvent{PERF_TYPE_RAW, *number};
    return kernel.processor_event(name);
}

/// The parts of a probe name: event, mode and count.
struct CounterRequest {
    PerfEvent event;
    std::string_view mode;
    uint64_t count = 0;
};

std::optional<CounterRequest> counter_request(KernelView& kernel, std::string_view name)
{
    const std::size_t first = name.find('-'), second = name.find('-', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos)
        return {};
    const std::string_view mode = name.substr(first + 1, second - first - 1);
    const auto event = event_of(kernel, name.substr(0, first));
    const auto count = number_of<uint64_t>(name.substr(second + 1), 10);
    const bool good = event && (mode == "user" || mode == "kernel" || mode == "all");
    // The kernel rejects periods whose highest bit is set.
    if (!good || !count || *count == 0 || *count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        return {};
    return CounterRequest{*event, mode, *count};
}

std::string reason_of(PerfEvent event, int code)
{
    const bool is_missing = code == ENOENT || code == EOPNOTSUPP || code == EINVAL || code == ENODEV;
    return event.type != PERF_TYPE_SOFTWARE && is_missing
               ? "this machine has no such counter (most virtual machines have none)"
               : std::strerror(code);
}

class CpcProvider final : public Provider {
public:
    explicit CpcProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "cpc"; }
    uint32_t places() const override { return kMaxEvents; }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!glob_match(pattern.module, "") || !glob_match(pattern.function, ""))
            return {};
        if (is_literal(pattern.name))
            return match_one(pattern.name, sink);
        for (uint32_t place = 0; place < std::size(kEvents); ++place) {
            const std::string name = std::string(kEvents[place].name) + std::string(kListed);
            if (glob_match(pattern.name, name) &&
                kernel_.event_error(kEvents[place].event.type, kEvents[place].event.config) == 0)
                sink.add(described(name, place));
        }
        kernel_.for_each_processor_event([&](std::string_view event) {
            const std::string name = std::string(event) + std::string(kListed);
            const auto meant = glob_match(pattern.name, name) ? kernel_.processor_event(event) : std::nullopt;
            if (meant && kernel_.event_error(meant->type, meant->config) == 0)
                sink.add_on_demand(described(name, 0));
        });
        return {};
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds&) override
    {
        const auto plans = perf_event_plans(probes, [this](const Probe& probe) { return target_of(probe.name); });
        return {plans.begin(), plans.end()};
    }

private:
    Result<void> match_one(const std::string& name, ProbeSink& sink)
    {
        const auto request = counter_request(kernel_, name);
        if (!request && is_static() && std::count(name.begin(), name.end(), '-') == 2 &&
            !event_of(kernel_, name.substr(0, name.find('-'))))
            return Error{missing_library("an event by its name in the processor's manual", "libpfm4", "libpfm4")};
        if (!request)
            return {};
        const std::string event = name.substr(0, name.find('-'));
        if (const int code = kernel_.event_error(request->event.type, request->event.config))
            return Error{"cannot count " + event + ": " + reason_of(request->event, code), code};
        const auto known = std::find_if(std::begin(kEvents), std::end(kEvents),
                                        [&](const NamedEvent& one) { return one.name == event; });
        const bool listed = known != std::end(kEvents) && name == event + std::string(kListed);
        listed ? sink.add(described(name, static_cast<uint32_t>(known - std::begin(kEvents))))
               : sink.add_on_demand(described(name, 0));
        return {};
    }

    static Probe described(std::string name, uint32_t place)
    {
        Probe probe;
        probe.provider = "cpc";
        probe.name = std::move(name);
        probe.attributes = &kProfileAttributes;
        probe.place = place;
        return probe;
    }

    /// Returns the text of an attach target, such as "5000:all:0:1:user": period, CPUs, the event's type and config
    /// (struct perf_event_attr), mode.
    std::string target_of(std::string_view name)
    {
        const auto request = counter_request(kernel_, name);
        if (!request)
            return {};
        return std::to_string(request->count) + ":all:" + std::to_string(request->event.type) + ":" +
               std::to_string(request->event.config) + ":" + std::string(request->mode);
    }

    KernelView& kernel_;
};

} // namespace

std::unique_ptr<Provider> make_cpc_provider(KernelView& kernel)
{
    return std::make_unique<CpcProvider>(kernel);
}

} // namespace dt::probes
