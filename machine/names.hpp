// The machines by name, for those who choose one: the folders here, and the one that this runs on.
#pragma once

#include <string_view>

namespace dt::machine {

inline constexpr std::string_view kTargets[] = {"native", "arm64", "riscv64", "x86_64"};

} // namespace dt::machine
