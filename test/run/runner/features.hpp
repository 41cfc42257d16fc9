// Features of the machine that a run test may need. Detected by looking at the system or by trying them.
#pragma once

#include <string>
#include <vector>

namespace dt::runtest {

/// Returns nothing if every named feature is present, otherwise the reason for the test report. For an unknown name,
/// the reason says so; callers check names with known_feature() and treat unknown ones as a failure.
std::string missing_feature(const std::vector<std::string>& names);

bool known_feature(const std::string& name);

} // namespace dt::runtest
