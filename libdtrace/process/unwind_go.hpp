// Unwind rows of the functions of a Go program. Go's compiler writes no .eh_frame for them. Every program, stripped or
// not, has .gopclntab, with which its own runtime unwinds stacks.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libdtrace/process/unwind_rows.hpp"

namespace dt {

/// Adds the rows of the file's Go functions; none if it has none, or a table from before Go 1.18. The file's contents
/// are untrusted.
void add_go_rows(Elf* elf, const machine::UnwindRegisters& machine, std::vector<UnwindRow>& rows);

/// Adds the rows from the section's bytes. `code` is the start of the file's code, which the table of a
/// position-independent program does not contain.
void add_go_rows(std::span<const uint8_t> section, uint64_t code, const machine::UnwindRegisters& machine,
                 std::vector<UnwindRow>& rows);

} // namespace dt
