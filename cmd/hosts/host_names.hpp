// Sets of hosts: "web[01-40,50],db1".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::cmd {

inline constexpr std::size_t kMostHosts = 100'000;

/// Every name, in order. Brackets hold numbers and ranges of them, which keep their leading zeros; there may be several
/// in one name. Groups ("@web") are what their own programs know of.
Result<std::vector<std::string>> host_names(std::string_view set);

} // namespace dt::cmd
