// Eviction of dynamic variables (dynvars=lru).
#pragma once

#include <cstdint>

#include "base/result.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// Returns the number of elements in maps that evict; exact if no program runs. Cost: as MapReader.
Result<uint64_t> elements_there(const LoadedMaps& maps);
/// Returns the number of requests that have begun and not ended (docs/decisions/78-requests.md). Cost: as MapReader.
Result<uint64_t> requests_there(const LoadedMaps& maps);

} // namespace dt::consume
