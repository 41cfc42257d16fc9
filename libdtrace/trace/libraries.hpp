// Finds and reads the files of D libraries.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/diagnostics.hpp"
#include "libdtrace/options/options.hpp"
#include "base/result.hpp"

namespace dt {

/// Returns the numbers at the start of a kernel release ("6.1.0-13-cloud": 6 1 0); empty if there are none.
std::vector<unsigned> release_numbers(std::string_view release);

/// Returns the newest of the subdirectory names that are kernel versions ("5.14") up to `release`.
std::optional<std::string> best_version(const std::vector<std::string>& names, std::string_view release);

/// Appends the *.d files of syslibdir (if set) and of each libdir, in this order. In a directory, the files of its best
/// version come first; files are sorted by name. Each file is read once, and a missing directory has no files. With
/// nolibs no file is read. The error names the file that cannot be read.
Result<void> read_libraries(const Options& options, std::string_view release, std::deque<Source>& libraries);

} // namespace dt
