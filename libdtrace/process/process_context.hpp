// Reads the names of the attributes in thread contexts. A process publishes them in its process context, a message
// (OTEP 4719) in a named mapping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

struct Mapping;

/// Returns the names by number; empty if there are none or the message is invalid. `memory` is a descriptor of
/// /proc/PID/mem.
std::vector<std::string> context_names(int memory, const std::vector<Mapping>& mapped);

/// Returns the names in a message.
std::vector<std::string> context_names_in(std::string_view message);

} // namespace dt
