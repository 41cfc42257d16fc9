// A probe that a program was built with, as described in its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/plan.hpp"

namespace dt::probes {

/// A place where the probe fires.
struct UserSite {
    uint64_t place = 0;              ///< file offset of the instruction
    uint64_t counter = 0;            ///< file offset of a counter that is not 0 while the probe is enabled; 0: none
    std::vector<Location> arguments; ///< locations of the arguments, in the order of UserProbe::native
};

/// The places of one probe in one function.
struct UserProbe {
    std::string provider; ///< provider name without a pid
    std::string function, name;
    std::vector<UserSite> sites;
    std::vector<uint64_t> asking; ///< places where the program queries whether it is enabled; the answer 1 is stored
                                  ///< where the first argument points
    std::vector<std::string> native,
        translated; ///< D types of the arguments and of args[]; if `translated` is empty, both are the same
    std::vector<uint8_t>
        mapping; ///< indexes of native arguments: args[i] comes from argument mapping[i] if `translated` is not empty
    std::string remark; ///< remark for users of its arguments; mostly empty
    std::vector<std::string>
        refusals; ///< reasons why an argument's location is unknown, by argument; empty if it is known
};

} // namespace dt::probes
