// Option -h: generates the C header that a program includes to fire the probes of its provider definitions.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/sema/program/program.hpp"

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
