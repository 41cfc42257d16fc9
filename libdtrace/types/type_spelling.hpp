// Definitions that all readers of types share: the names of number types in D ("unsigned long" for GCC's "long unsigned
// int", for example), and the position of a type's description in a file.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace dt {

inline std::string_view d_spelling(std::string_view name)
{
    constexpr struct {
        std::string_view compiler, d;
    } kSpellings[] = {
        {"long int", "long"},           {"long unsigned int", "unsigned long"},
        {"short int", "short"},         {"short unsigned int", "unsigned short"},
        {"long long int", "long long"}, {"long long unsigned int", "unsigned long long"},
    };
    for (const auto& spelling : kSpellings)
        if (spelling.compiler == name)
            return spelling.d;
    return name;
}

/// Returns whether the type is _Float16, float, double or long double. Other floating-point types, such as __bf16 and
/// __float128, have the same size as one of these but a different format.
inline bool is_known_float(std::string_view name, uint64_t bytes)
{
    // A long double has 12 bytes in 32-bit programs, 16 bytes in 64-bit programs.
    const bool is_long_double = bytes == 12 || bytes == 16;
    return bytes == 4 || bytes == 8 || (bytes == 2 && name != "__bf16") ||
           (is_long_double && name.find("128") == std::string_view::npos);
}

// Position of a type's description in a file. Every reader of the file uses the same positions.

struct TypePosition {
    uint64_t part = 0; ///< number that identifies the compilation unit (DWARF) or the container (CTF)
    uint64_t at = 0;   ///< offset (DWARF) or type id (CTF) within that unit or container

    auto operator<=>(const TypePosition&) const = default;
};

} // namespace dt
