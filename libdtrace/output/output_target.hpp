// Output target named by -o and the option output: a file, a socket or a folder, depending on the format.
#pragma once

#include <cerrno>
#include <string>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

enum class OutputTarget : uint8_t { File, Socket, Folder };

/// Returns the kind of target that the format needs.
OutputTarget target_of(OutputFormat format);

/// Redirects the output to `path`. New files belong to `user` (option user) if it is not empty. The error message is
/// complete; the caller adds no prefix.
Result<void> open_target(Output& output, const std::string& path, OutputTarget destination, const std::string& user);

// Checks of the output target, for formats that cannot be appended to other output. They must be called before the
// first output.

/// Name of the growing file in a folder that -o names.
inline constexpr const char* kStreamFile = "stream";

/// Fails if the file of -o already has content. Call it before the first write. The error message is complete; the
/// caller adds no prefix.
inline Result<void> begin_file(Output& output, const std::string& format)
{
    if (output.has_file() && !output.file_is_empty())
        return Error{"format " + format + " needs an empty file, but the file of -o has content", EEXIST};
    return {};
}

/// Fails if begin_file() fails, or if the output is a terminal, because the format is binary.
inline Result<void> begin_document(Output& output, const std::string& format)
{
    if (output.terminal())
        return Error{"format " + format + " cannot be written to a terminal: use -o FILE", EINVAL};
    return begin_file(output, format);
}

/// Fails if -o does not name a folder, or if the growing file in that folder already has content.
inline Result<void> begin_folder(Output& output, const std::string& format)
{
    if (output.folder().empty())
        return Error{"format " + format + " writes a folder: use -x format=" + format + " with -o FOLDER", EINVAL};
    if (!output.file_is_empty())
        return Error{"format " + format + " needs an empty folder, but the folder of -o has content", EEXIST};
    return {};
}

} // namespace dt::output
