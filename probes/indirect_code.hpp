// What an indirect function chooses from. Such a function (STT_GNU_IFUNC: strlen, memcpy) runs once, when the program starts, and gives the address of
// the one that serves by its name on this processor. Pure: its bytes in, addresses out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dt::probes {

struct Choices {
    std::vector<uint64_t> addresses; ///< that its instructions make; code and data alike
    std::vector<uint64_t> words;     ///< addresses of what they load whole words from, which may be an address of a function
};

/// `at`: the link-time address of the code, and so are those in the result.
Choices choices_in(std::span<const uint8_t> code, uint64_t at);

} // namespace dt::probes
