// What goes into one file of gzip(1).
#pragma once

#include <string>
#include <string_view>

namespace dt::output {

/// The same bytes always become the same file: it has neither a name nor a time. Empty: there is no memory for it.
std::string gzipped(std::string_view bytes);

} // namespace dt::output
