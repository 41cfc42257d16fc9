// -C: script text through the system's C preprocessor.
#pragma once

#include <string>

#include "libdtrace/options/options.hpp"
#include "base/result.hpp"

namespace dt {

/// Runs `options.cpppath` over a script's text. A first line that begins with "#!" is blanked, so line numbers stay.
/// Errors are the library messages "Preprocessor not found", "Failed to exec preprocessor", "Preprocessor failed to
/// process input program", "Failed to fork preprocessor"; what cpp itself says goes to our stderr.
Result<std::string> preprocess(std::string text, const Options& options);

/// The words cpp is called with, without its own name and the input and output files.
std::vector<std::string> preprocessor_arguments(const Options& options);

} // namespace dt
