// Parses sets of host names such as "web[01-40,50],db1".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::cmd {

inline constexpr std::size_t kMaxHosts = 100'000;

/// Returns all host names of a set, in order. Brackets contain numbers and ranges, which keep leading zeros; a name may
/// have several brackets. Groups ("@web") are rejected, because only the tools that define them can expand them.
Result<std::vector<std::string>> host_names(std::string_view set);

} // namespace dt::cmd
