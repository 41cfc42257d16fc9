// What lies in the kernel's memory beside the programs and maps that are compared.
#pragma once

#include <vector>

namespace dt::bench {

/// Some programs and maps that do nothing, as many and as large as `seed` says, for as long as it lives.
///
/// Where a program and its maps lie makes some percent of what a firing costs, and the kernel gives the next one the
/// place that was given back last: who loads the same things again and again measures one place again and again, and
/// another one the next day. Behind other spacers they lie elsewhere.
class Spacers {
public:
    explicit Spacers(unsigned seed);
    ~Spacers();
    Spacers(const Spacers&) = delete;
    Spacers& operator=(const Spacers&) = delete;

private:
    std::vector<int> files_;
};

} // namespace dt::bench
