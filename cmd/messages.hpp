// Lines on stderr: each begins with the command's name.
#pragma once

#include <string_view>

#include "cmd/arguments.hpp"

namespace dt::cmd {

/// Exit statuses (output reference 2.4).
inline constexpr int kSuccess = 0, kFailure = 1, kUsage = 2;

/// Prints "NAME: TEXT" and a newline.
void say(const Arguments& arguments, std::string_view text);

} // namespace dt::cmd
