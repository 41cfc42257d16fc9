// The functions of a Go program, from the table that its runtime needs to unwind stacks (.gopclntab). Stripped programs
// have it too (go build -ldflags "-s -w").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

struct Elf; // libelf.h

namespace dt {

struct GoFunction {
    uint64_t start = 0, size = 0; ///< link-time address and size; the size includes padding after the function
    std::string_view name;        ///< function name; refers to the table
    bool is_abi0 = false; ///< whether it takes arguments from the stack, while another function of that name takes them
                          ///< from registers
};

/// Reads a table of Go 1.16 or later; empty for other versions or invalid data. `code` is the address of the program's
/// code, used if the table has none; `word` is the size of an address in bytes. The table is untrusted: the result is
/// sorted by address and ends before the first entry that is out of order.
std::vector<GoFunction> read_go_functions(std::span<const uint8_t> table, uint64_t code, std::size_t word);
/// Reads the functions of a file. Names are valid while it is open.
std::vector<GoFunction> read_go_functions(Elf* elf);

} // namespace dt
