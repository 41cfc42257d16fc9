// Option -G: makes an object file that describes probes, from provider definitions and the object files that fire them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program.hpp"
#include "libdtrace/usdt/call_sites.hpp"

namespace dt::usdt {

enum class LinkedForm { Elf, Dof };

/// Returns the calls of probes in all objects, which it rewrites for describe_probes() in that form. The error message
/// is complete.
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
