// -G: from provider definitions and the object files that fire their probes to one more object file, which describes
// them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program.hpp"
#include "libdtrace/usdt/call_sites.hpp"

namespace dt::usdt {

enum class LinkedForm { Elf, Dof };

/// Returns the calls of probes in all these objects, which are rewritten for describe_probes() of that form. The error
/// is complete.
Result<CallSites> take_call_sites(const std::vector<std::string>& objects, LinkedForm form);

/// Describes the providers' probes and their sites: an object file to be linked with those that the sites are in, or
/// the bare description. `define_functions`: the object also defines a function for every probe of the providers, for
/// calls in objects that `sites` has nothing of. An object file also defines the functions that tell whether a probe is
/// enabled, as far as they are called. Fails when a site is of a probe that its provider has not, or when no
/// provider has any site and no functions are wanted. `sites` of other providers are passed over.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions,
                                             LinkedForm form);

} // namespace dt::usdt
