// Common code of the mechanisms that open a perf event for each hook. It determines the type number of the event,
// attaches the program to the event, and finds out which capabilities are needed to open it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "probes/attach/attach.hpp"

struct perf_event_attr;

namespace dt::probes {

/// message for kernels without CONFIG_KPROBES that also lack the newer mechanisms
inline constexpr std::string_view kNoKprobes =
    "this kernel has neither kprobes nor a usable fentry: see dtrace --doctor";

/// Returns the type number of the PMU for probes of this kind ("kprobe", "uprobe"); 0 if the kernel has no such PMU.
uint32_t probe_event_type(const char* kind);

/// Attaches the program to an open event and enables it. Takes ownership of the event's descriptor, and closes it on
/// failure. Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_to_event(int program, int event, uint64_t cookie);

/// Opens the event and attaches the program. If `process` is -1, the event is for all processes, otherwise for one.
/// Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_probe_event(int program, perf_event_attr& attr, int process, uint64_t cookie);

/// Attaches to each target of the plan by `attach_one`, which returns null and sets errno on failure. `refusal` creates
/// a Refusal from an errno; the target is added to it. Fails if nothing was attached, unless the processes of all
/// refused targets have ended. The error message contains the result of `name` for the first target.
Result<Attached> attach_each(const AttachPlan& plan, const AttachOptions& options,
                             std::string (*name)(const AttachTarget&),
                             const std::function<std::unique_ptr<Attachment>(const AttachTarget&)>& attach_one,
                             const std::function<Refusal(int)>& refusal);

// Capabilities needed to open perf events: CAP_PERFMON in every kernel, and CAP_SYS_ADMIN in the kernels of some
// distributions (perf_event_paranoid).

/// Returns whether opening a perf event requires CAP_SYS_ADMIN here.
bool perf_events_take_admin();

/// Returns a text with the required capability, such as "CAP_PERFMON is needed". Call it after perf_event_open(2) has
/// failed with EPERM or EACCES.
std::string perf_permission_needed();

} // namespace dt::probes
