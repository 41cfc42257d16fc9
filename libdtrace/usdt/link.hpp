// Option -G: creates an object file that describes probes, from provider definitions and from the object files that
// fire the probes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/usdt/header.hpp"
#include "machine/machine.hpp"

// Finds the sites of probes in an object file. A site is a call of a function that is never defined; the call is
// replaced by a no-op.

namespace dt::usdt {

struct CallSite {
    SiteName name;
    bool is_replaced = true;                              ///< whether the call was replaced by a no-op
    std::string function;                                 ///< name of the function that contains the site
    std::string symbol;                                   ///< symbol by which other objects can refer to that function
    uint64_t offset = 0;                                  ///< offset of the site within the function
    const machine::Machine* machine = &machine::native(); ///< machine of the object
};

struct CallSites {
    std::vector<CallSite> sites;
    /// Whether an object contains intermediate code (-flto). The calls in such an object appear only at link time, so
    /// they are not in `sites`.
    bool some_are_intermediate = false;
};

/// Treatment of calls that query whether a probe is enabled. Stay: they are not replaced, and call a function that -G's
/// output defines. AreReplaced: they are replaced by instructions.
enum class Questions { Stay, AreReplaced };

/// Replaces the calls of probes in a relocatable file and returns their sites, including those replaced in earlier
/// runs. Replaces the file atomically or leaves it unchanged. Does not change files for link-time optimization. The
/// caller adds the file's name to an error message.
Result<CallSites> take_call_sites(const std::string& path, Questions questions);

enum class LinkedForm { Elf, Dof };

/// Replaces the calls of probes in all objects, and returns these calls. `form` is the form of the output of
/// describe_probes(). The error message is complete; the caller adds no prefix.
Result<CallSites> take_call_sites(const std::vector<std::string>& objects, LinkedForm form);

/// Describes the providers' probes and sites. Form Elf: returns an object file, which must be linked with the objects
/// that contain the sites. Form Dof: returns only the description of the probes.
///
/// If `define_functions` is set, the object file also defines a function for every probe of the providers. These
/// functions are called in objects whose calls were not replaced and which thus have no elements in `sites`. An object
/// file also defines the functions that return whether a probe is enabled, if they may be called.
///
/// Fails if a site's probe is not defined by its provider, or if no provider has a site and no functions are requested.
/// Ignores `sites` of other providers.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions,
                                             LinkedForm form);

} // namespace dt::usdt
