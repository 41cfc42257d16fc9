// Option -G: makes an object file that describes probes, from provider definitions and the object files that fire them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/usdt/header.hpp"
#include "machine/machine.hpp"

// Finds the sites in an object file where probes of a program fire: calls of functions that are never defined. They are
// replaced by no-ops.

namespace dt::usdt {

struct CallSite {
    SiteName name;
    bool is_replaced = true;                              ///< false: the call remains a call
    std::string function;                                 ///< name of the function that contains the site
    std::string symbol;                                   ///< symbol by which other objects can refer to that function
    uint64_t offset = 0;                                  ///< offset of the site within the function
    const machine::Machine* machine = &machine::native(); ///< machine of the object
};

struct CallSites {
    std::vector<CallSite> sites;
    /// Whether an object contains intermediate code (-flto). Its calls appear only at link time, so they are not in
    /// `sites`.
    bool some_are_intermediate = false;
};

/// Treatment of calls that query whether a probe is enabled. Stay: they call a function that -G's output defines.
enum class Questions { Stay, AreReplaced };

/// Replaces the calls of probes in a relocatable file and returns their sites, including those replaced in earlier
/// runs. Replaces the file atomically or leaves it unchanged. Files for link-time optimization are not changed. The
/// caller adds the file's name to an error message.
Result<CallSites> take_call_sites(const std::string& path, Questions questions);

enum class LinkedForm { Elf, Dof };

/// Returns the calls of probes in all objects, and replaces them in the objects. `form` is the form of the output of
/// describe_probes(). The error message is complete.
Result<CallSites> take_call_sites(const std::vector<std::string>& objects, LinkedForm form);

/// Describes the providers' probes and sites. Form Elf: returns an object file to be linked with the objects that have
/// the sites. Form Dof: returns only the description.
///
/// With `define_functions` the object file also defines a function for every probe of the providers, for calls in
/// objects that `sites` does not cover. An object file also defines the functions that return whether a probe is
/// enabled, if they may be called.
///
/// Fails if a site's probe is not defined by its provider, or if no provider has a site and no functions are requested.
/// Ignores `sites` of other providers.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions,
                                             LinkedForm form);

} // namespace dt::usdt
