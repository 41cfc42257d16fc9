// Option -G: creates an object file that describes probes, from provider definitions and from the object files that
// fire the probes.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {

/// Returns the text of a header for the providers. `file` is the header's file name, from which the include guard is
/// derived ("prov.h": _PROV_H).
std::string make_header(const std::string& file, const std::deque<DefinedProvider>& providers);

// Names of user probes in C (dtrace-providers(7), PROBES OF PROGRAMS). The probe `query-start` in D is `query__start`
// in function names. A probe site calls __dtrace_PROVIDER___query__start, or __dtraceenabled_PROVIDER___query__start to
// query whether the probe is enabled.

inline constexpr std::string_view kFirePrefix = "__dtrace_", kEnabledPrefix = "__dtraceenabled_";
inline constexpr std::string_view kBetween = "___"; ///< separator between provider and probe in function names

struct SiteName {
    std::string provider, probe; ///< names of provider and probe, as in D
    /// true: the function queries whether the probe is enabled; false: it fires the probe
    bool asks = false;
};

/// Returns the probe to which a function with this name belongs, or nothing if it belongs to no probe.
std::optional<SiteName> read_site_name(std::string_view symbol);

} // namespace dt::usdt

// Finds the sites of probes in an object file. A site is a call of a function that is never defined; the call is
// replaced by a no-op.

namespace dt::usdt {

struct CallSite {
    SiteName name;
    bool is_replaced = true;                              ///< whether the call was replaced by a no-op
    std::string function;                                 ///< name of the function that contains the site
    std::string symbol;                                   ///< symbol by which other objects refer to `function`
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
/// If `define_functions` is set, the object file also defines a function for every probe of the providers. Objects
/// whose calls were not replaced call these functions; such objects have no elements in `sites`. An object file also
/// defines the functions that return whether a probe is enabled, if they may be called.
///
/// Fails if a site's probe is not defined by its provider, or if no provider has a site and no functions are requested.
/// Ignores `sites` of other providers.
Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions,
                                             LinkedForm form);

} // namespace dt::usdt
