// Gives access to the files of the kernel's tracing file system, even if it is not mounted. Also finds hardware events
// by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "probes/kernel_view.hpp"

namespace dt {

/// Uses the existing mount. If there is none, creates a detached mount, which needs CAP_SYS_ADMIN and is removed with
/// this object.
class Tracefs {
public:
    Tracefs();
    ~Tracefs();
    Tracefs(const Tracefs&) = delete;
    Tracefs& operator=(const Tracefs&) = delete;

    /// Returns the content of a file by its path in tracefs, or an empty string if it cannot be read.
    std::string read(const std::string& path) const;

private:
    int root_;
};

// Events of the processor's counters, by their names in the vendor's manual. The library libpfm4 contains the tables of
// all vendors and is loaded when a script names such an event. Without the library, scripts can only use event numbers.

class ProcessorEvents {
public:
    virtual ~ProcessorEvents() = default;
    /// Returns the event for perf_event_open(2). Returns nothing if the name is unknown or the event needs more than
    /// one configuration value.
    virtual std::optional<probes::PerfEvent> find(std::string_view name) = 0;
    virtual void for_each(const probes::KernelView::VisitName& visit) = 0;
};

/// Returns the events of this machine's processor; without libpfm4, there are none. The object is never destroyed,
/// because the library never frees its own tables.
ProcessorEvents& processor_events();

} // namespace dt
