// Spacers: unused BPF programs and maps that change where the kernel places measured programs and maps in memory.
#pragma once

#include <vector>

namespace dt::bench {

/// Creates unused programs and maps. Their number and sizes depend on `seed`. The destructor deletes them.
///
/// The placement of a program and its maps changes the cost of a firing by some percent, and the kernel first reuses
/// the memory that was freed last. So without spacers, programs that are loaded repeatedly would get the same addresses
/// for hours, and different addresses on another day.
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
