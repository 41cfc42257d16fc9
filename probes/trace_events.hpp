// Trace events: the tracepoints of which the kernel can write a record, as tracefs tells them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "probes/kernel_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {

/// Of tracefs' available_events, those that are tracepoints and no provider's of their own: without system calls and
/// what somebody, this tracer included, defined while the kernel ran (`dynamic`: tracefs' dynamic_events).
std::vector<TraceEvent> read_trace_events(std::string_view available, std::string_view dynamic);

/// A field of an event's record.
struct TraceField {
    enum class Shape : uint8_t {
        Scalar,
        Bytes,           ///< an array or a struct, there in the record
        Located,         ///< elsewhere in the record: the field says where, from the record's beginning
        LocatedRelative, ///< the same, from the field's end
    };
    std::string type; ///< C text; of an array, of an element
    std::string name;
    uint32_t offset = 0, size = 0;
    bool is_signed = false;
    Shape shape = Shape::Scalar;
    bool operator==(const TraceField&) const = default;
};

/// The fields of an event's format file in their order, without those that all events have.
std::vector<TraceField> read_trace_format(std::string_view format);

/// Event numbers are below this (TRACE_EVENT_TYPE_MAX in kernel/trace).
inline constexpr uint32_t kTraceEventNumbers = 1u << 16;

/// Can a pattern mean a probe that has no function, and an event's name for its own? Answers without looking at the
/// kernel.
bool may_be_trace_event(const ProbePattern& pattern);

/// Every event that a pattern means, with its number.
void for_each_trace_event(KernelView& kernel, const ProbePattern& pattern,
                          const std::function<void(const TraceEvent&, uint32_t)>& visit);

} // namespace dt::probes
