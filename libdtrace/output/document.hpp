// Formats whose output is one file for a program, binary and whole: not for a terminal, and not behind another.
#pragma once

#include <string>

#include "libdtrace/output/output.hpp"

namespace dt::output {

/// Before anything is written. The error is complete.
inline Result<void> begin_document(Output& output, const std::string& format)
{
    if (output.terminal())
        return Error{"format " + format + " is not for a terminal: -o names a file", EINVAL};
    if (output.has_file() && !output.file_is_empty())
        return Error{"format " + format + " is a file of its own, and something is in the one of -o", EEXIST};
    return {};
}

} // namespace dt::output
