// Compares the output of a run test with the expected output.
#pragma once

#include <string>

#include "test/run/runner/test_file.hpp"

namespace dt::runtest {

struct Observed {
    int status = 0;
    std::string out, err;
};

/// Returns nothing if the output and status of the run are as expected, otherwise the differences as text.
std::string judge(const TestFile& test, Observed observed);

} // namespace dt::runtest
