// Elements of dynamic variables that have made room for others (dynvars=lru).
#pragma once

#include <cstdint>

#include "base/result.hpp"

struct bpf_object;

namespace dt::consume {

/// How many elements the maps have that replace theirs; exact when nothing runs. Cost: as MapReader.
Result<uint64_t> elements_there(bpf_object* object);

} // namespace dt::consume
