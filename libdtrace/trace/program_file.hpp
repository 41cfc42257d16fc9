// The text of a program, from a file that may be anything.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt {

/// Reads a program: at most kLargestProgram bytes, and nothing after the first NUL, which no program has. A byte order
/// mark before it is left out. Errors: strerror's text; ENOEXEC: it is not a D program; EFBIG: it is larger.
Result<std::string> read_program_file(const std::string& path);

constexpr std::size_t kLargestProgram = 64 << 20;

} // namespace dt
