// Elements of dynamic variables that have made room for others (dynvars=lru).
#pragma once

#include <cstdint>

#include "base/result.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// How many elements the maps have that replace theirs; exact when nothing runs. Cost: as MapReader.
Result<uint64_t> elements_there(const LoadedMaps& maps);
/// How many requests have begun that are not done (docs/decisions/78-requests.md). Cost: the same.
Result<uint64_t> requests_there(const LoadedMaps& maps);

} // namespace dt::consume
