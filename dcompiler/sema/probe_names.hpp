// Names of a provider definition's probes in D and in C, which has no dashes.
#pragma once

#include <string>
#include <string_view>

namespace dt {

/// Replaces `__` by `-`.
std::string dashed(std::string_view name);
/// Replaces `-` by `__`.
std::string underscored(std::string_view name);

} // namespace dt
