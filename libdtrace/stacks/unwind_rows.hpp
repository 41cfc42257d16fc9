// Reads the unwind rules for all addresses of an ELF file, from its .eh_frame and from Go's own tables. The rules can
// be compressed and sent between processes.
//
// Compilers write an unwind program for every function, because exceptions need it. For each address of the function,
// the unwind program describes how to find the caller's frame. Running these programs over the whole file gives a table
// of address ranges with their rules. A rule locates only the frame, the return address and the caller's frame pointer.
// Other registers are known only in the innermost frame, where the kernel has saved them
// (bpf-runtime/stacks/unwind_places.h). If a frame needs more, such as other expressions or a computed return address,
// its rule is DT_CFA_NONE.
//
// The file is untrusted, but the table is valid for any contents of the file.
#pragma once

#include <libelf.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/packed_bytes.hpp"
#include "bpf-runtime/abi.h"
#include "machine/machine.hpp"

inline bool operator==(const dt_unwind_rule& a, const dt_unwind_rule& b)
{
    return a.cfa == b.cfa && a.fp == b.fp && a.fp_offset == b.fp_offset && a.cfa_offset == b.cfa_offset;
}

namespace dt {

class UntrustedFiles;
class PackedUnwindRows;

struct UnwindRow {
    uint64_t address = 0; ///< link-time address from which the rule applies, up to the address of the next row
    dt_unwind_rule rule{};
    bool operator==(const UnwindRow&) const = default;
};

/// Returns the unwind rows of a file, sorted by address. Consecutive rows have different rules, and the last rule is
/// DT_CFA_NONE. The result is empty if the file contains neither a usable .eh_frame for this machine nor Go's table.
/// Cost: 2 ms for libc. `stop` may be set by another thread to abandon the work. `of` is the machine for which the file
/// was compiled.
std::vector<UnwindRow> read_unwind_rows(Elf* elf, const std::atomic<bool>* stop = nullptr,
                                        const machine::Machine& of = machine::native());
/// Returns the size of the function that begins at a link-time address, according to .eh_frame; 0 if unknown.
uint64_t unwound_size(Elf* elf, uint64_t address);
/// Returns the rows of the kernel's vdso for this machine. They include a row for the code to which signal handlers
/// return. On some machines, this code can be recognized only by its instructions.
std::vector<UnwindRow> read_vdso_rows(Elf* elf);
/// Marks signal frames in `rows`. Wherever `code` contains the instructions `wanted`
/// (machine::Conventions::signal_return), the stack contains the registers that a signal saved. `address` is the
/// address of `code`.
void mark_signal_returns(std::vector<UnwindRow>& rows, std::span<const uint8_t> code, uint64_t address,
                         std::span<const uint8_t> wanted);
/// Returns the rows of a traced program's file, read by a sandboxed reader; empty on failure.
PackedUnwindRows rows_of_untrusted(UntrustedFiles& files, const std::string& path,
                                   const std::atomic<bool>* stop = nullptr);

// Compressed unwind rows: about four bytes each instead of sixteen. A large program has a million rows. A sandboxed
// process sends the compressed rows to the tracer, which reads them once and in order, so it need not unpack all of
// them.

class PackedUnwindRows {
public:
    static constexpr std::size_t kMax = 32 << 20; ///< maximum number of rows per file; a file with more rows is invalid

    PackedUnwindRows() = default;
    /// Packs unwind rows that are sorted by address.
    explicit PackedUnwindRows(std::span<const UnwindRow> rows);
    /// Creates the rows from untrusted bytes that another process sent. Returns no rows if the format is wrong, the
    /// addresses do not increase, or there are too many rows.
    static PackedUnwindRows deserialize(std::string bytes);

    const std::string& bytes() const { return bytes_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Return the addresses of the first and the last row; 0 if there are no rows.
    uint64_t first() const { return first_; }
    uint64_t last() const { return last_; }

    /// Iterates over the rows, which must outlive the iterator.
    class Cursor {
    public:
        explicit Cursor(const PackedUnwindRows& rows);
        bool at_end() const { return at_end_; }
        const UnwindRow& row() const { return row_; } ///< returns the current row; requires !at_end()
        void next();
        bool good() const { return reader_.good(); }

    private:
        PackedReader reader_;
        std::vector<dt_unwind_rule> rules_;
        std::size_t left_ = 0;
        UnwindRow row_;
        bool at_end_ = false;
    };
    Cursor begin() const { return Cursor(*this); }

private:
    /// Packed bytes: the rules, the number of rows, then the rows. Each row consists of the difference between its
    /// address and the previous row's address, and of the index of its rule.
    std::string bytes_;
    std::size_t count_ = 0;
    uint64_t first_ = 0, last_ = 0;
};

// Unwind rows of the functions of a Go program. Go's compiler writes no .eh_frame for these functions. But every Go
// program, stripped or not, contains the section .gopclntab, with which Go's runtime unwinds stacks.

/// Adds the rows of the file's Go functions. Adds nothing if the file contains no Go functions or a table from before
/// Go 1.18. The file's contents are untrusted.
void add_go_rows(Elf* elf, const machine::UnwindRegisters& machine, std::vector<UnwindRow>& rows);

/// Adds the rows that the bytes of the section .gopclntab describe. `code` is the start of the file's code, which the
/// table of a position-independent program does not contain.
void add_go_rows(std::span<const uint8_t> section, uint64_t code, const machine::UnwindRegisters& machine,
                 std::vector<UnwindRow>& rows);

} // namespace dt
