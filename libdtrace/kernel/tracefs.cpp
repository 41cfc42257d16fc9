// Uses libpfm4 through dlopen(), because its tables take 3 MB and few scripts need them.
#include "libdtrace/world/processor_events.hpp"

#include <perfmon/pfmlib_perf_event.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/linkage.hpp"

namespace dt {
namespace {

class Pfm final : public ProcessorEvents {
public:
    Pfm()
    {
        void* const library = open_library("libpfm.so.4");
        decltype(&pfm_initialize) start = nullptr;
        if (!library || !find_function(library, start, "pfm_initialize") || start() != PFM_SUCCESS)
            return;
        find_function(library, encode_, "pfm_get_os_event_encoding");
        find_function(library, unit_, "pfm_get_pmu_info");
        find_function(library, event_, "pfm_get_event_info");
        find_function(library, next_, "pfm_get_event_next");
    }

    std::optional<probes::PerfEvent> find(std::string_view name) override
    {
        if (!encode_)
            return {};
        perf_event_attr wanted{};
        pfm_perf_encode_arg_t request{};
        request.attr = &wanted;
        request.size = sizeof request;
        if (encode_(std::string(name).c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &request) != PFM_SUCCESS)
            return {};
        const bool by_one_number = wanted.config1 == 0 && wanted.config2 == 0;
        return by_one_number ? std::optional(probes::PerfEvent{wanted.type, wanted.config}) : std::nullopt;
    }

    void for_each(const probes::KernelView::VisitName& visit) override
    {
        if (!unit_ || !event_ || !next_)
            return;
        for (int number = PFM_PMU_NONE; number < PFM_PMU_MAX; ++number) {
            pfm_pmu_info_t unit{};
            unit.size = sizeof unit;
            const auto which = static_cast<pfm_pmu_t>(number);
            const bool generic =
                which == PFM_PMU_PERF_EVENT || which == PFM_PMU_PERF_EVENT_RAW; // these events have names of our own
            if (generic || unit_(which, &unit) != PFM_SUCCESS || !unit.is_present)
                continue;
            for (int index = unit.first_event; index != -1; index = next_(index))
                visit(lower_name(index));
        }
    }

private:
    std::string lower_name(int index)
    {
        pfm_event_info_t event{};
        event.size = sizeof event;
        std::string name = event_(index, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS ? event.name : "";
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return name;
    }

    // Null if the library is missing.
    decltype(&pfm_get_os_event_encoding) encode_ = nullptr;
    decltype(&pfm_get_pmu_info) unit_ = nullptr;
    decltype(&pfm_get_event_info) event_ = nullptr;
    decltype(&pfm_get_event_next) next_ = nullptr;
};

} // namespace

ProcessorEvents& processor_events()
{
    static Pfm events;
    return events;
}

} // namespace dt
