// Generates the D program that --trace-errno runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::cmd {

/// highest errno that the kernel returns: MAX_ERRNO (include/linux/err.h)
inline constexpr int32_t kHighestError = 4095;

/// The failing system call that --trace-errno explains.
struct FailedCall {
    std::string probe;     ///< first three parts of the probe's name, such as "syscall::openat"
    std::string predicate; ///< text of the predicate without slashes
    int32_t error = 0;     ///< value that the predicate requires for errno
};

/// Parses "syscall::openat:return /errno == EACCES/". The error message can be printed as it is.
Result<FailedCall> read_failed_call(std::string_view text);

/// Returns the D program that traces the failing call. `functions` are the kernel functions whose code may create the
/// error. If `is_of_process` is true, only $target and its children are traced.
std::string program_of(const FailedCall& call, const std::vector<std::string>& functions, bool is_of_process);

} // namespace dt::cmd
