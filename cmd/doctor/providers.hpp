// Every provider, tried as a script would: compiled, loaded, attached, let go.
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/check.hpp"
#include "libdtrace/options/options.hpp"

namespace dt::cmd::doctor {

struct ProviderFinding {
    std::string name;
    Finding finding;
};

/// Tries one probe of each provider, and counts what the provider lists.
std::vector<ProviderFinding> try_providers(const Options& options);

} // namespace dt::cmd::doctor
