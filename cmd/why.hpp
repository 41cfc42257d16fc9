// The program that --why asks with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::cmd {

inline constexpr int32_t kHighestError = 4095; ///< MAX_ERRNO (include/linux/err.h)

/// What is asked about: calls that end with an error.
struct FailedCall {
    std::string probe;     ///< "syscall::openat"
    std::string predicate; ///< without slashes
    int32_t error = 0;     ///< that it names
};

/// "syscall::openat:return /errno == EACCES/". The error is complete.
Result<FailedCall> read_failed_call(std::string_view text);

/// Functions: those that may have made the error. is_of_process: only calls of $target and of its children.
std::string program_of(const FailedCall& call, const std::vector<std::string>& functions, bool is_of_process);

} // namespace dt::cmd
