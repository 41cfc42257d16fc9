// The places in an object file where probes of a program fire: calls of functions that nobody defines, replaced by
// instructions that do nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "machine/machine.hpp"
#include "libdtrace/usdt/names.hpp"

namespace dt::usdt {

struct CallSite {
    SiteName name;
    bool is_replaced = true;                              ///< no longer a call
    std::string function;                                 ///< that it is in
    std::string symbol;                                   ///< by which other objects can mean that function
    uint64_t offset = 0;                                  ///< of the site in the function
    const machine::Machine* machine = &machine::native(); ///< that the object is for
};

struct CallSites {
    std::vector<CallSite> sites;
    bool some_are_intermediate = false; ///< an object has no code yet: its calls are made when the program is linked
};

/// Whether calls that ask whether a probe is enabled stay calls, of a function that the output of -G defines.
enum class Questions { Stay, AreReplaced };

/// Replaces the calls of probes in a relocatable file and tells where they were; those of an earlier time are told
/// again. The file is written anew as a whole, under its name, or not at all. A file for link-time optimization is left
/// alone. The error is complete but for the file's name.
Result<CallSites> take_call_sites(const std::string& path, Questions questions);

} // namespace dt::usdt
