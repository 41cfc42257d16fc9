// Names of user probes in C (dtrace-providers(7), PROBES OF PROGRAMS). The probe query-start in D is query__start in
// function names. A site calls __dtrace_PROVIDER___query__start, or __dtraceenabled_PROVIDER___query__start to query
// whether the probe is enabled.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dt::usdt {

inline constexpr std::string_view kFirePrefix = "__dtrace_", kEnabledPrefix = "__dtraceenabled_";
inline constexpr std::string_view kBetween = "___"; ///< separator between provider and probe

struct SiteName {
    std::string provider, probe; ///< probe name as in D
    bool asks = false;           ///< whether the call queries if the probe is enabled
};

/// Returns the site that a call of this function means; nothing for any other function.
std::optional<SiteName> read_site_name(std::string_view symbol);

} // namespace dt::usdt
