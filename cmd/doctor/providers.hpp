// Checks each provider as a script would use it: compiles, loads, attaches and detaches.
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

/// Tries one probe of each provider and counts the provider's probes.
std::vector<ProviderFinding> try_providers(const Options& options);

} // namespace dt::cmd::doctor
