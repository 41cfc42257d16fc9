// Functions that save their return address, so that a program can return there again. Kernel return probes replace
// return addresses. setjmp(3) would save the replacement, which is invalid after the call, and the program would crash
// at its longjmp(3). The kernel handles vfork(2), which also returns twice, itself.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace dt::probes {

/// Returns whether it is such a function of the C library, by any of its names (`_setjmp`, `__sigsetjmp`). Compilers
/// use the same list of names.
inline bool returns_twice(std::string_view function)
{
    constexpr std::array<std::string_view, 5> kNames = {"setjmp", "sigsetjmp", "savectx", "getcontext", "swapcontext"};
    function.remove_prefix(std::min(function.find_first_not_of('_'), function.size()));
    return std::find(kNames.begin(), kNames.end(), function) != kNames.end();
}

} // namespace dt::probes
