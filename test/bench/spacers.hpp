// Spacers that change the placement of measured programs and maps in kernel memory.
#pragma once

#include <vector>

namespace dt::bench {

/// Unused programs and maps whose number and sizes depend on `seed`; they exist as long as this object.
///
/// The placement of a program and its maps changes the cost of a firing by some percent, and the kernel reuses the
/// memory that was freed last. So repeated loading would measure the same addresses again and again on one day, and
/// other addresses on another day. Different spacers lead to different addresses.
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
