// Capabilities of this process (capabilities(7)): those that tracing needs without root, those that are missing, and
// dropping those no longer needed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dt {

/// Returns whether a capability is in the effective set; `name` has the form "CAP_BPF".
bool has_capability(std::string_view name);

/// Returns the capabilities that tracing requires and this process lacks; empty if it can trace.
std::vector<std::string_view> missing_to_trace();

/// Returns the names as text, for example "CAP_BPF and CAP_PERFMON".
std::string listed(const std::vector<std::string_view>& names);

/// Drops all capabilities for good except those needed to read buffers, name addresses of processes and follow CPUs.
/// Call it after everything is attached. It affects only the calling thread, so call it before other threads start.
/// `reopens_file`: the output file may be reopened although it, or its folder, belongs to another user. `gives_away`:
/// files that this process creates are given to another user.
void drop_unneeded_capabilities(bool reopens_file, bool gives_away);

} // namespace dt
