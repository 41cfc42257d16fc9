// -G: from provider definitions and the object files that fire their probes to one more object file, which describes
// them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program.hpp"
#include "libdtrace/usdt/call_sites.hpp"

namespace dt::usdt {

/// The calls of probes in all these objects, which are rewritten. The error is complete.
Result<std::vector<CallSite>> take_call_sites(const std::vector<std::string>& objects);

enum class LinkedForm { Elf, Dof };

/// Describes the providers' probes and their sites: an object file to be linked with those that the sites are in, or
/// the bare description. Fails when a site is of a probe that its provider has not, or no provider has any site.
/// `sites` of other providers are passed over.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, LinkedForm form);

} // namespace dt::usdt
