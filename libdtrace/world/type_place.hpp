// Position of a type's description in a file, the same for every reader of the file.
#pragma once

#include <compare>
#include <cstdint>

namespace dt {

struct TypePlace {
    uint64_t part = 0; ///< number of the unit (DWARF) or container (CTF)
    uint64_t at = 0;   ///< offset or type number in the part

    auto operator<=>(const TypePlace&) const = default;
};

} // namespace dt
