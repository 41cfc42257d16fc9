// Option -C: passes the text of a script through the system's C preprocessor.
#pragma once

#include <string>

#include "libdtrace/options/options.hpp"
#include "base/result.hpp"

namespace dt {

/// Runs `options.cpppath` on a script's text. A first line that begins with "#!" is blanked, so line numbers stay the
/// same. The errors are the library messages "Preprocessor not found", "Failed to exec preprocessor", "Preprocessor
/// failed to process input program" and "Failed to fork preprocessor". Messages of cpp itself go to standard error.
Result<std::string> preprocess(std::string text, const Options& options);

/// Returns the arguments of cpp, without its name and the input and output files.
std::vector<std::string> preprocessor_arguments(const Options& options);

} // namespace dt
