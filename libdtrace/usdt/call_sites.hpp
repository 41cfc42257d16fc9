// Finds the sites in an object file where probes of a program fire: calls of functions that are never defined. They are
// replaced by no-ops.
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
    bool is_replaced = true;                              ///< whether the call was replaced
    std::string function;                                 ///< name of the function that contains the site
    std::string symbol;                                   ///< symbol by which other objects can refer to that function
    uint64_t offset = 0;                                  ///< offset of the site within the function
    const machine::Machine* machine = &machine::native(); ///< machine of the object
};

struct CallSites {
    std::vector<CallSite> sites;
    bool some_are_intermediate =
        false; ///< whether an object contains intermediate code, whose calls exist only after linking
};

/// Whether calls that query whether a probe is enabled remain calls (of a function in -G's output) or are replaced.
enum class Questions { Stay, AreReplaced };

/// Replaces the calls of probes in a relocatable file and returns their sites, including those replaced in earlier
/// runs. Replaces the file atomically or leaves it unchanged. Files for link-time optimization are not changed. The
/// error is complete except for the file's name.
Result<CallSites> take_call_sites(const std::string& path, Questions questions);

} // namespace dt::usdt
