// The functions of a Go program by the table that its runtime needs for stacks (.gopclntab): it is there in stripped
// programs too (go build -ldflags "-s -w").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

struct Elf; // libelf.h

namespace dt {

struct GoFunction {
    uint64_t start = 0, size = 0; ///< link-time; the size has the padding behind the function
    std::string_view name;        ///< in the table
    bool is_abi0 = false; ///< it takes its arguments from the stack, and another function of its name from registers
};

/// Reads the table of Go 1.16 and later; empty when it is of another version or damaged. `code`: address of the
/// program's code, which counts where the table has none; `word`: bytes of an address. Believes nothing of the table:
/// functions are in the order of their addresses, and up to the first that is not.
std::vector<GoFunction> read_go_functions(std::span<const uint8_t> table, uint64_t code, std::size_t word);
/// Those of a file; the names live as long as it is open.
std::vector<GoFunction> read_go_functions(Elf* elf);

} // namespace dt
