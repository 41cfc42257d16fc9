// How to unwind the functions of a Go program. Its compiler writes no .eh_frame for them; what its own runtime walks
// stacks by, .gopclntab, is in every program, stripped or not.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libdtrace/process/unwind_rows.hpp"

namespace dt {

/// Adds the rows of the file's Go functions; none when it has none, or a table from before Go 1.18. The file may say
/// anything. `word`: the bytes of an address.
void add_go_rows(Elf* elf, const machine::UnwindRegisters& machine, std::vector<UnwindRow>& rows);

/// The same of the section's bytes. `code`: where the file's code begins, which the table of a position-independent
/// program does not tell.
void add_go_rows(std::span<const uint8_t> section, uint64_t code, const machine::UnwindRegisters& machine,
                 std::vector<UnwindRow>& rows);

} // namespace dt
