// Capabilities of this process (capabilities(7)). Checks which capabilities are missing for tracing without root, and
// drops capabilities that are no longer needed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dt {

/// Returns whether a capability is in the effective set; `name` has the form "CAP_BPF".
bool has_capability(std::string_view name);

/// Returns the capabilities that tracing requires and this process lacks. Empty if the process can trace.
std::vector<std::string_view> missing_to_trace();

/// Returns the names joined in a text, for example "CAP_BPF and CAP_PERFMON".
std::string listed(const std::vector<std::string_view>& names);

/// Permanently drops all capabilities that the tracer does not need while it reads buffers, resolves addresses of
/// processes, and adapts to CPUs that go online or offline. Call it after everything is attached, and before other
/// threads start, because it affects only the calling thread. `reopens_file`: the output file may be reopened although
/// the file, or its folder, belongs to another user. `gives_away`: files that this process creates are given to another
/// user.
void drop_unneeded_capabilities(bool reopens_file, bool gives_away);

} // namespace dt
