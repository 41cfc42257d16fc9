// Names by which users choose a machine: names of folders in machine/, and "native" for the machine of this build.
#pragma once

#include <string_view>

namespace dt::machine {

inline constexpr std::string_view kTargets[] = {"native", "arm64", "x86_64"};

} // namespace dt::machine
