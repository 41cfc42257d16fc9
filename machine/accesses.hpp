// Finds memory accesses in the code of a function. In a stripped program, data without a symbol are located through a
// function that has a symbol and accesses the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dt::machine {

/// A load of an 8-byte word into a register, or the calculation of the word's address.
struct Access {
    static constexpr uint8_t kFunctionStart = 0xff;
    bool is_load = false;          ///< whether the word is loaded; otherwise its address is calculated
    uint8_t to = 0;                ///< number of the register that receives the word or the address
    uint8_t base = kFunctionStart; ///< number of the register with the base address, to which `offset` is added
    int64_t offset = 0;
};

/// Returns the accesses of the instructions in `code`, the first bytes of a function, in the order of their addresses.
/// Jumps are not followed. Ends at an instruction that cannot be decoded. The list is empty on machines other than the
/// one for which this is implemented.
std::vector<Access> read_accesses(std::span<const uint8_t> code);

} // namespace dt::machine
