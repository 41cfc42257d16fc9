// A probe that a program was built with, as its file tells of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/plan.hpp"

namespace dt::probes {

/// One place where it fires.
struct UserSite {
    uint64_t place = 0;   ///< offset of the instruction in the file
    uint64_t counter = 0; ///< offset in the file of a number that is not 0 while somebody wants the probe; 0: none
    std::vector<Location> arguments; ///< in the order of UserProbe::native
};

/// The places of one probe in one function.
struct UserProbe {
    std::string provider; ///< without a pid
    std::string function, name;
    std::vector<UserSite> sites;
    std::vector<uint64_t>
        asking; ///< places where the program asks whether it is enabled: it reads 1 where its first argument points
    std::vector<std::string> native, translated; ///< D types of the arguments, and of args[]; one is as good as the
                                                 ///< other where `translated` is empty
    std::vector<uint8_t> mapping;                ///< with `translated`: args[i] comes from argument mapping[i]
    std::string remark;                          ///< what a user of its arguments must know; empty: nothing
    std::vector<std::string> refusals;           ///< by argument: why its place is not known; empty: it is
};

} // namespace dt::probes
