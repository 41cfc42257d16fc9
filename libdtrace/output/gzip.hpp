// Compression into the format of gzip(1).
#pragma once

#include <string>
#include <string_view>

namespace dt::output {

/// Returns the bytes as a gzip file without name and time, so equal input gives equal output. Returns an empty string
/// on failure.
std::string gzipped(std::string_view bytes);

} // namespace dt::output
