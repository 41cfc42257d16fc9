// Functions that a process compiled for itself: runtimes with a just-in-time compiler tell where they are in
// /tmp/perf-PID.map.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {

/// What stands for the object file of such a function.
inline constexpr std::string_view kJitModule = "[jit]";

/// Parses lines "START SIZE NAME", numbers in hexadecimal (the format of perf(1)). Of two at one address the later
/// counts: memory is used again. In address order.
std::vector<ElfSymbols::Symbol> parse_jit_map(std::string_view text);

/// The map of a process, looked for where the process itself would write it; of one that has ended, in /tmp. Empty when
/// there is none. `proc` is where procfs is mounted. Only a regular file of the process's user or root is believed, up
/// to 64 MiB and a million lines of it; `owner` keeps the user for when the process has ended. `foreign`: has it read.
std::vector<ElfSymbols::Symbol> read_jit_map(const std::string& proc, int64_t pid, uint32_t& owner,
                                             ForeignFiles& foreign);

/// The function that covers the address, or null.
const ElfSymbols::Symbol* find_jit(const std::vector<ElfSymbols::Symbol>& symbols, uint64_t address);

} // namespace dt
