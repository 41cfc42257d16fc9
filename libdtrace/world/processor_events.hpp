// The events that a model of processor counts, by the names in its manual. A library knows the tables of all vendors;
// it is loaded when a script names such an event, and without it they go by number.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "probes/kernel_view.hpp"

namespace dt {

class ProcessorEvents {
public:
    virtual ~ProcessorEvents() = default;
    /// Its number for perf_event_open(2). Empty: unknown, or it takes more than one number to say what is counted.
    virtual std::optional<probes::PerfEvent> find(std::string_view name) = 0;
    virtual void for_each(const probes::KernelView::VisitName& visit) = 0;
};

/// Of this machine's processor. Without the library it knows nothing. Lives as long as the process, like the library's
/// own tables.
ProcessorEvents& processor_events();

} // namespace dt
