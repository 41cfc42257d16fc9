// Functions that keep the place to which they return, for somebody to go there once more. What the kernel puts in place
// of a return address for its return probes would be kept as well, and is of no use when the call is over: the program
// ended at its longjmp(3). That vfork(2) returns twice is known to the kernel, which has the addresses of both.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace dt::probes {

/// Of the C library, by any of its names (`_setjmp`, `__sigsetjmp`); compilers know them by these names too.
inline bool returns_twice(std::string_view function)
{
    constexpr std::array<std::string_view, 5> kNames = {"setjmp", "sigsetjmp", "savectx", "getcontext", "swapcontext"};
    function.remove_prefix(std::min(function.find_first_not_of('_'), function.size()));
    return std::find(kNames.begin(), kNames.end(), function) != kNames.end();
}

} // namespace dt::probes
