// D library files: which there are, and their texts.
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

/// The numbers at the start of a kernel release ("6.1.0-13-cloud": 6 1 0), or nothing when there are none.
std::vector<unsigned> release_numbers(std::string_view release);

/// Of names of subdirectories the one that is named like a kernel version ("5.14") not newer than `release`, and of
/// those the newest.
std::optional<std::string> best_version(const std::vector<std::string>& names, std::string_view release);

/// Appends the *.d files of syslibdir (if it is set) and of each libdir, in this order; in a directory those of its
/// best version come first, and files by name. A file that is reached twice is read once; a directory that is not there
/// has no files. With nolibs there is nothing to do. The error names the file that cannot be read.
Result<void> read_libraries(const Options& options, std::string_view release, std::deque<Source>& libraries);

} // namespace dt
