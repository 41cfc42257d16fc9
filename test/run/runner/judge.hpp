// Compares what a run test printed with what it expects.
#pragma once

#include <string>

#include "test/run/runner/test_file.hpp"

namespace dt::runtest {

struct Observed {
    int status = 0;
    std::string out, err;
};

/// Empty when the run is as expected; otherwise what differs, ready to print.
std::string judge(const TestFile& test, Observed observed);

} // namespace dt::runtest
