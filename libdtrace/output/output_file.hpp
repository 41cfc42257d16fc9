// Files that belong to another user (-x user), so that an unprivileged user can read a privileged tracer's output.
//
// That user may own the folder, so a name in it may be a link to any file. So files are created, or opened without
// following links.
#pragma once

#include <string>
#include <sys/types.h>

#include "base/result.hpp"

namespace dt::output {

/// Returns the user's number. The error message is complete.
Result<uid_t> number_of_user(const std::string& name);

/// Creates a file and opens it for appending. Owner (the user), group (the tracer's) and mode 0660 are set before any
/// content. The group lets a restarted service append, although it may not write other users' files. Returns -1 with
/// errno set if it fails; no file is left.
int make_users_file(const std::string& path, uid_t user);

/// Creates the file or opens an existing one, whose owner stays. `flags` are additional flags of open(2).
int open_users_file(const std::string& path, uid_t user, int flags);

} // namespace dt::output
