// --top: the aggregations as they are now, over and over. On a terminal each picture takes the place of the last.
#pragma once

#include <string>
#include <string_view>

#include "libdtrace/output/output.hpp"

namespace dt::output {

/// The text as one screen: what there is no room for is left out, lines are cut; before it, what clears the terminal.
std::string picture(std::string_view text, const Output::Size& screen);

} // namespace dt::output
