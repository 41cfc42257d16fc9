// Formats whose output is whole by itself: not behind another.
#pragma once

#include <cerrno>
#include <string>

#include "libdtrace/output/output.hpp"

namespace dt::output {

/// The file that grows, where -o names a folder.
inline constexpr const char* kStreamFile = "stream";

/// Before anything is written. The error is complete.
inline Result<void> begin_file(Output& output, const std::string& format)
{
    if (output.has_file() && !output.file_is_empty())
        return Error{"format " + format + " is a file of its own, and something is in the one of -o", EEXIST};
    return {};
}

/// The same, of what is binary.
inline Result<void> begin_document(Output& output, const std::string& format)
{
    if (output.terminal())
        return Error{"format " + format + " is not for a terminal: -o names a file", EINVAL};
    return begin_file(output, format);
}

/// The same, of a folder.
inline Result<void> begin_folder(Output& output, const std::string& format)
{
    if (output.folder().empty())
        return Error{"format " + format + " writes a folder: -x format=" + format + " with -o FOLDER makes it", EINVAL};
    if (!output.file_is_empty())
        return Error{"format " + format + " writes a folder of its own, and something is in that of -o", EEXIST};
    return {};
}

} // namespace dt::output
