// Where a file describes a type: the same whoever reads the file.
#pragma once

#include <compare>
#include <cstdint>

namespace dt {

struct TypePlace {
    uint64_t part = 0; ///< a unit, or a container, by its number
    uint64_t at = 0;   ///< in it: bytes, or a number

    auto operator<=>(const TypePlace&) const = default;
};

} // namespace dt
