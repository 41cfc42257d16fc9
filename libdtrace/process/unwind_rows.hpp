// How to unwind each address of an ELF file: its .eh_frame, run, and what Go has instead.
//
// Compilers write for every function (exceptions need it, and most machines have it everywhere) a program that says at
// each of its addresses where the caller's frame is. Run over the whole file, those programs give a table: from this
// address on, this rule. Only what a walk needs is kept, the frame address, the return address and the frame pointer.
// Other registers are known in the innermost frame alone, where the kernel has saved them
// (bpf-runtime/unwind_places.h). What needs more (expressions of other shapes, a return address that is calculated) is
// DT_CFA_NONE.
//
// The file belongs to whoever is traced: whatever is in it, what comes out is some table.
#pragma once

#include <libelf.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bpf-runtime/abi.h"
#include "machine/machine.hpp"

inline bool operator==(const dt_unwind_rule& a, const dt_unwind_rule& b)
{
    return a.cfa == b.cfa && a.fp == b.fp && a.fp_offset == b.fp_offset && a.cfa_offset == b.cfa_offset;
}

namespace dt {

class ForeignFiles;
class PackedUnwindRows; // packed_unwind_rows.hpp

struct UnwindRow {
    uint64_t address = 0; ///< link-time; the rule holds from here to the next row
    dt_unwind_rule rule{};
    bool operator==(const UnwindRow&) const = default;
};

/// Rows by address, no two neighbours alike, the last one DT_CFA_NONE; empty when there is neither a usable .eh_frame
/// for this machine nor what Go has instead. Cost: libc 2 ms. `stop`: becomes true when nobody wants the rows any more,
/// from another thread. `of`: the machine whose files are meant.
std::vector<UnwindRow> read_unwind_rows(Elf* elf, const std::atomic<bool>* stop = nullptr,
                                        const machine::Machine& of = machine::native());
/// Returns the size of the function that begins at a link-time address, as .eh_frame has it; 0: nothing tells.
uint64_t unwound_size(Elf* elf, uint64_t address);
/// Those of the vdso of this machine's kernel: also of what handlers of signals return to, where only its code tells.
std::vector<UnwindRow> read_vdso_rows(Elf* elf);
/// Puts among `rows` that behind each place of `code`, which is at an address, that is `wanted` (machine::Ways,
/// signal_return) the registers of a signal are.
void mark_signal_returns(std::vector<UnwindRow>& rows, std::span<const uint8_t> code, uint64_t address,
                         std::span<const uint8_t> wanted);
/// Those of a traced program's file, by a reader; empty too when that fails.
PackedUnwindRows rows_of_foreign(ForeignFiles& files, const std::string& path, const std::atomic<bool>* stop = nullptr);

} // namespace dt
