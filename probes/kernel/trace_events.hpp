// Trace events: the tracepoints for which the kernel can write records, as described by tracefs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "probes/kernel_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {

/// Returns the events of tracefs' available_events that are tracepoints and for which no other provider exists.
/// Excludes system calls and events that were defined at run time by this tracer or others (`dynamic`: tracefs'
/// dynamic_events).
std::vector<TraceEvent> read_trace_events(std::string_view available, std::string_view dynamic);

/// A field of the record that the kernel writes for a trace event.
struct TraceField {
    enum class Shape : uint8_t {
        Scalar,
        Bytes, ///< kind of field: the data are an array or a struct within the record
        /// kind of field: the data are elsewhere in the record; the field contains their offset from the beginning of
        /// the record
        Located,
        /// kind of field: the data are elsewhere in the record; the field contains their offset from the field's end
        LocatedRelative,
    };
    std::string type; ///< text of the field's C type; for an array, the C type of an element
    std::string name;
    uint32_t offset = 0, size = 0;
    bool is_signed = false;
    Shape shape = Shape::Scalar;
    bool operator==(const TraceField&) const = default;
};

/// Returns the fields of an event's format file in their order, without the fields that all events have.
std::vector<TraceField> read_trace_format(std::string_view format);

/// Upper bound of event ids (TRACE_EVENT_TYPE_MAX in kernel/trace).
inline constexpr uint32_t kTraceEventNumbers = 1u << 16;

/// Returns whether a pattern may match a trace event: its function part matches the empty text, and its name is a glob
/// or an identifier. Does not query the kernel.
bool may_be_trace_event(const ProbePattern& pattern);

/// Calls `visit` with the id of every event that the pattern matches.
void for_each_trace_event(KernelView& kernel, const ProbePattern& pattern,
                          const std::function<void(const TraceEvent&, uint32_t)>& visit);

} // namespace dt::probes
