// Files that are made for a user (-x user): a tracer has rights that who reads its output has not.
//
// The folder may be that user's, so a name in it may lead anywhere: a file is made, or is there itself, and no link is
// followed.
#pragma once

#include <string>
#include <sys/types.h>

#include "base/result.hpp"

namespace dt::output {

/// His number. The error is complete.
Result<uid_t> number_of_user(const std::string& name);

/// Makes a file where there is none and opens it for appending: it is the user's, and of the tracer's group, before
/// anything is in it. Mode 0660: a service that begins anew writes on, and has no right to write what is others'. Below
/// 0: errno, and nothing is made.
int make_users_file(const std::string& path, uid_t user);

/// The same, or opens what is there, which stays whose it is. `flags`: more of open(2).
int open_users_file(const std::string& path, uid_t user, int flags);

} // namespace dt::output
