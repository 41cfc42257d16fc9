// Features of the machine that a test may need, found by looking or trying.
#pragma once

#include <string>
#include <vector>

namespace dt::runtest {

/// Returns nothing if every named feature is present, otherwise the reason for the test report. An unknown name is also
/// such a reason; callers treat it as a failure (known_feature).
std::string missing_feature(const std::vector<std::string>& names);

bool known_feature(const std::string& name);

} // namespace dt::runtest
