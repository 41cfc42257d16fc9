// Functions that a process compiled at run time. Runtimes with a just-in-time compiler list them in /tmp/perf-PID.map.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {

/// Module name that is printed for JIT-compiled functions, because they are in no object file.
inline constexpr std::string_view kJitModule = "[jit]";

/// Parses lines "START SIZE NAME" with hexadecimal numbers (the format of perf(1)). If several functions contain the
/// same address, only the one in the last line is returned, because the runtime reuses memory. Returns the functions in
/// address order.
std::vector<ElfSymbols::Symbol> parse_jit_map(std::string_view text);

/// Returns the functions of a process. Reads the map file (/tmp/perf-PID.map) at the path that the process itself would
/// use. If the process has ended, reads the one in the tracer's own /tmp. The result is empty if there is no map file.
/// `proc` is the mount point of proc(5). Only a regular file owned by the process's user or root is accepted, up to 64
/// MiB and a million functions. `owner` caches the process's user, which cannot be determined after the process has
/// ended. `untrusted` parses the file.
std::vector<ElfSymbols::Symbol> read_jit_map(const std::string& proc, int64_t pid, uint32_t& owner,
                                             UntrustedFiles& untrusted);

/// Returns the function that covers the address, or null.
const ElfSymbols::Symbol* find_jit(const std::vector<ElfSymbols::Symbol>& symbols, uint64_t address);

} // namespace dt
