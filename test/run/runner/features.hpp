// What a test may need of the machine it runs on, found by looking or trying.
#pragma once

#include <string>
#include <vector>

namespace dt::runtest {

/// Empty when every named feature is here; otherwise why not, in words for the test report. A name that is not in the
/// table is such a reason too (and a failure in the eyes of the caller: see known_feature).
std::string missing_feature(const std::vector<std::string>& names);

bool known_feature(const std::string& name);

} // namespace dt::runtest
