// How a probe of a provider definition is called in D, and how it is written in C, which has no dashes.
#pragma once

#include <string>
#include <string_view>

namespace dt {

/// `__` becomes `-`.
std::string dashed(std::string_view name);
/// `-` becomes `__`.
std::string underscored(std::string_view name);

} // namespace dt
