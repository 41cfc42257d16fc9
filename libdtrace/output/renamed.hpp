// Files that make room for the next one of their name: FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on.
//
// Whatever fails on the way, nothing that is kept may be overwritten by something younger: the oldest is moved first,
// and the first failure stops it. Where a number is free those behind it stay where they are.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt::output {

/// Renames `path` to PATH.1, those before up to PATH.kept, whose content is the one that is given up. The error's
/// message is the reason alone; `path` then has its name still.
Result<void> rename_to_next(const std::string& path, uint64_t kept);

/// PATH.1 is `path` again, unless there is such a file.
void rename_back(const std::string& path);

} // namespace dt::output
