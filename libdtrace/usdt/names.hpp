// How the names of user probes are written in C (dtrace-providers(7), PROBES OF PROGRAMS): a probe that D calls
// query-start is query__start in function names, and a site calls __dtrace_PROVIDER___query__start, or
// __dtraceenabled_PROVIDER___query__start to ask whether anybody listens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dt::usdt {

inline constexpr std::string_view kFirePrefix = "__dtrace_", kEnabledPrefix = "__dtraceenabled_";
inline constexpr std::string_view kBetween = "___"; ///< provider and probe

struct SiteName {
    std::string provider, probe; ///< probe as D calls it
    bool asks = false;           ///< whether the probe is enabled
};

/// What a call of this function stands for; nothing when it is some other function.
std::optional<SiteName> read_site_name(std::string_view symbol);

} // namespace dt::usdt
