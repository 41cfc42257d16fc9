// Log rotation by renaming: FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on.
//
// A failure must never overwrite kept output with newer output. So the oldest file is renamed first, and the first
// failure stops the rotation. If a number is unused, files with higher numbers keep theirs.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt::output {

/// Renames `path` to PATH.1 and older files to the next number, up to PATH.kept, whose previous content is lost. On
/// failure `path` keeps its name, and the message is the reason only.
Result<void> rename_to_next(const std::string& path, uint64_t kept);

/// Renames PATH.1 back to `path`, unless `path` exists.
void rename_back(const std::string& path);

} // namespace dt::output
