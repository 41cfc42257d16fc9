// Unwind rules for each address of an ELF file, from its .eh_frame and from Go's own tables.
//
// Compilers write a program for every function (exceptions need it, and most machines always have it) that locates the
// caller's frame at each address. Running these programs over the whole file gives a table of address ranges and rules.
// A rule has only the frame address, the return address and the frame pointer. Other registers are known only in the
// innermost frame, where the kernel has saved them (bpf-runtime/unwind_places.h). Frames that need more, such as other
// expressions or a computed return address, get DT_CFA_NONE.
//
// The file is untrusted input: any contents yield a valid table.
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
    uint64_t address = 0; ///< link-time address; the rule holds from here to the next row
    dt_unwind_rule rule{};
    bool operator==(const UnwindRow&) const = default;
};

/// Returns rows sorted by address without equal neighbours; the last one is DT_CFA_NONE. Empty if the file has neither
/// a usable .eh_frame for this machine nor Go's table. Cost: 2 ms for libc. `stop` may be set by another thread to
/// abandon the work. `of` is the machine whose files are read.
std::vector<UnwindRow> read_unwind_rows(Elf* elf, const std::atomic<bool>* stop = nullptr,
                                        const machine::Machine& of = machine::native());
/// Returns the size from .eh_frame of the function that begins at a link-time address; 0 if unknown.
uint64_t unwound_size(Elf* elf, uint64_t address);
/// Returns the rows of the kernel's vdso for this machine, including the code to which signal handlers return if only
/// its code identifies it.
std::vector<UnwindRow> read_vdso_rows(Elf* elf);
/// Marks signal frames in `rows`: after each occurrence of `wanted` (machine::Ways, signal_return) in `code`, the
/// registers of a signal are on the stack. `address` is the address of `code`.
void mark_signal_returns(std::vector<UnwindRow>& rows, std::span<const uint8_t> code, uint64_t address,
                         std::span<const uint8_t> wanted);
/// Returns the rows of a traced program's file, read by a sandboxed reader; empty on failure.
PackedUnwindRows rows_of_foreign(ForeignFiles& files, const std::string& path, const std::atomic<bool>* stop = nullptr);

} // namespace dt
