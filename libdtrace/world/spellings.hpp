// How compilers spell integer types in debug information, and how D does. GCC writes "long unsigned int".
#pragma once

#include <string_view>

namespace dt {

inline std::string_view d_spelling(std::string_view name)
{
    constexpr struct {
        std::string_view compiler, d;
    } kSpellings[] = {
        {"long int", "long"},           {"long unsigned int", "unsigned long"},           {"short int", "short"}, {"short unsigned int", "unsigned short"},
        {"long long int", "long long"}, {"long long unsigned int", "unsigned long long"},
    };
    for (const auto& spelling : kSpellings)
        if (spelling.compiler == name)
            return spelling.d;
    return name;
}

} // namespace dt
