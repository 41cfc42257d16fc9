// What this process is allowed (capabilities(7)): what tracing needs instead of being root, what is missing, and giving
// up what is no longer needed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dt {

/// Is it in the effective set? `name`: "CAP_BPF".
bool has_capability(std::string_view name);

/// Those that tracing does not work without and that this process does not have; empty when it may trace.
std::vector<std::string_view> missing_to_trace();

/// "CAP_BPF and CAP_PERFMON"
std::string listed(const std::vector<std::string_view>& names);

/// After everything is attached: keeps what reading the buffers, naming addresses of processes and following CPUs
/// needs, gives up all else for good. Only the calling thread's: before others are started. `reopens_file`: the output
/// file may be opened again, when it may be in a folder of another user's or have been made as another user's.
/// `gives_away`: what is made then is another user's.
void keep_capabilities_of_consumer(bool reopens_file, bool gives_away);

} // namespace dt
