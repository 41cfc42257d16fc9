// Spacers that change the placement of measured programs and maps in kernel memory.
#pragma once

#include <vector>

namespace dt::bench {

/// Creates unused programs and maps whose number and sizes depend on `seed`, and deletes them in the destructor.
///
/// The placement of a program and its maps changes the cost of a firing by some percent, and the kernel reuses the
/// memory that was freed last. So programs that are loaded repeatedly would get the same addresses for hours, and other
/// addresses on another day. With different spacers they get different addresses.
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
