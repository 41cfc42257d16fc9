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
    bool is_replaced = true;                              ///< whether the call was replaced
    std::string function;                                 ///< name of the function that contains the site
    std::string symbol;                                   ///< symbol by which other objects can refer to that function
    uint64_t offset = 0;                                  ///< offset of the site within the function
    const machine::Machine* machine = &machine::native(); ///< machine of the object
};

struct CallSites {
    std::vector<CallSite> sites;
    /// Whether an object contains intermediate code (-flto), in which calls appear only at link time.
    bool some_are_intermediate = false;
};

/// Treatment of calls that query whether a probe is enabled. Stay: they remain calls of a function in -G's output.
enum class Questions { Stay, AreReplaced };

/// Replaces the calls of probes in a relocatable file and returns their sites, including those replaced in earlier
/// runs. Replaces the file atomically or leaves it unchanged. Files for link-time optimization are not changed. The
/// error is complete except for the file's name.
Result<CallSites> take_call_sites(const std::string& path, Questions questions);

enum class LinkedForm { Elf, Dof };

/// Returns the calls of probes in all objects, which it rewrites for describe_probes() in the form `form`. The error
/// message is complete.
Result<CallSites> take_call_sites(const std::vector<std::string>& objects, LinkedForm form);

/// Describes the providers' probes and sites. Returns an object file to be linked with those that have the sites, or
/// only the description. With `define_functions` the object also defines a function for every probe of the providers,
/// for calls in objects that `sites` does not cover. An object file also defines the called functions that return
/// whether a probe is enabled. Fails if a site's probe is not defined by its provider, or if no provider has a site and
/// no functions are requested. Ignores `sites` of other providers.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions,
                                             LinkedForm form);

} // namespace dt::usdt
