// Output target named by -o and the option output: a file, a socket or a folder, depending on the format.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

// Functions for the files of option -o: creation with another owner, atomic replacement, and rotation.
//
// With -x user a file belongs to another user, so that an unprivileged user can read a privileged tracer's output. That
// user may own the folder, so a name in the folder may be a symbolic link to any file. So files are created or opened
// without following symbolic links.

/// Returns the user id of the user `name`. The error message is complete; the caller adds no prefix.
Result<uid_t> uid_of_user(const std::string& name);

/// Creates a file and opens it for appending. Its owner (the user), group (the tracer's) and mode 0660 are set before
/// any content is written. Through the group, a restarted service may append to the file without the right to write
/// other users' files. On failure returns -1 with errno set and leaves no file.
int create_owned_file(const std::string& path, uid_t user);

/// Creates the file, or opens an existing file, which keeps its owner. `flags` are additional flags of open(2).
int open_owned_file(const std::string& path, uid_t user, int flags);

// Log rotation by renaming: FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on.
//
// If renaming fails, older output must never be overwritten by newer output. So the oldest file is renamed first, and
// the first failure stops the rotation. If no file has a certain number, the files with higher numbers are not renamed,
// because no file would overwrite them.

/// Renames `path` to PATH.1 and older files to the next number, up to PATH.kept, whose previous content is lost. On
/// failure `path` keeps its name, and the error message is only the reason (strerror).
Result<void> rename_to_next(const std::string& path, uint64_t kept);

/// Renames PATH.1 back to `path`, unless `path` exists.
void rename_back(const std::string& path);

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
