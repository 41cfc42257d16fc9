// The names by which users choose a machine: the folders here, and the native one.
#pragma once

#include <string_view>

namespace dt::machine {

inline constexpr std::string_view kTargets[] = {"native", "arm64", "x86_64"};

} // namespace dt::machine
