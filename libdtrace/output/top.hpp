// The option --top: repeatedly shows the current aggregations. On a terminal each picture replaces the previous one.
#pragma once

#include <string>
#include <string_view>

#include "libdtrace/output/output.hpp"

namespace dt::output {

/// Returns the text as one screen: the control sequence that clears the terminal, and as many lines as fit, truncated
/// to its width.
std::string picture(std::string_view text, const Output::Size& screen);

} // namespace dt::output
