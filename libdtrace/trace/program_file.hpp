// Reads the text of a program from a file of unknown contents.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt {

/// Reads a program of at most kLargestProgram bytes, without a leading byte order mark. Reading stops at a NUL byte,
/// which no program contains. Errors: the text of strerror(); ENOEXEC if the file is not a D program; EFBIG if it is
/// too large.
Result<std::string> read_program_file(const std::string& path);

constexpr std::size_t kLargestProgram = 64 << 20;

} // namespace dt
