// The names of the attributes in the contexts of a process's threads, which the process says in its own context: a
// message (OTEP 4719) in a mapping that has a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

struct Mapping;

/// By number. Empty: it says none, or what it says cannot be read. `memory`: descriptor of /proc/PID/mem.
std::vector<std::string> context_names(int memory, const std::vector<Mapping>& mapped);

/// Those that a message names.
std::vector<std::string> context_names_in(std::string_view message);

} // namespace dt
