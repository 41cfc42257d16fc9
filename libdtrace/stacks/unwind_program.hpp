// Interprets the unwind programs of .eh_frame, which describe the frame at each address (DWARF 5, 6.4; LSB Core,
// 10.6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libdtrace/stacks/unwind_rows.hpp"
#include "machine/machine.hpp"

namespace dt {

/// Reads untrusted bytes from front to back. A read beyond the end returns zeros and sets failed().
class DwarfBytes {
public:
    explicit DwarfBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    bool failed() const { return failed_; } ///< returns whether a read went beyond the end
    std::span<const uint8_t> rest() const { return bytes_; }

    uint64_t number(std::size_t size); ///< returns a little-endian number of `size` bytes and moves behind it
    uint64_t uleb();
    int64_t sleb();
    std::span<const uint8_t> block(uint64_t size);
    /// Reads a pointer in the encoding of exception tables (DW_EH_PE_*). `address` is the address of the pointer
    /// itself; `word` is the size of an address. Returns nothing if the pointer has no fixed size, or if it is neither
    /// absolute nor relative to `address`.
    std::optional<uint64_t> pointer(uint8_t encoding, uint64_t address, std::size_t word);

private:
    std::span<const uint8_t> bytes_;
    bool failed_ = false;
};

/// The data of a CIE (common information entry). Many functions share one CIE.
struct UnwindCommon {
    machine::UnwindRegisters machine = machine::native().unwind;
    uint64_t code_factor = 1;
    int64_t data_factor = -8;
    uint64_t return_register = 16;
    bool signal = false;
    std::span<const uint8_t> program;
};

/// Runs the CIE's and the function's unwind programs for the function [begin, end) and appends the resulting unwind
/// rows (addresses with their rules).
void run_unwind_programs(const UnwindCommon& common, std::span<const uint8_t> program, uint64_t begin, uint64_t end,
                         std::vector<UnwindRow>& rows);

} // namespace dt
