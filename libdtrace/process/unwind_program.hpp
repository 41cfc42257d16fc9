// The programs of .eh_frame: what they say of the frame at each address (DWARF 5, 6.4; LSB Core, 10.6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "libdtrace/process/unwind_rows.hpp"

namespace dt {

/// Reads forwards in bytes that may say anything: at the end, zeros.
class DwarfBytes {
public:
    explicit DwarfBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    bool failed() const { return failed_; } ///< something was asked for that was not there
    std::span<const uint8_t> rest() const { return bytes_; }

    uint64_t number(std::size_t size); ///< of so many bytes, little-endian
    uint64_t uleb();
    int64_t sleb();
    std::span<const uint8_t> block(uint64_t size);
    /// A pointer as exception tables write it (DW_EH_PE_*); `address` is its own, `word` the size of one. None: no kind
    /// that a file on disk can have.
    std::optional<uint64_t> pointer(uint8_t encoding, uint64_t address, std::size_t word);

private:
    std::span<const uint8_t> bytes_;
    bool failed_ = false;
};

/// What all functions of a CIE have in common.
struct UnwindCommon {
    machine::UnwindRegisters machine = machine::native().unwind;
    uint64_t code_factor = 1;
    int64_t data_factor = -8;
    uint64_t return_register = 16;
    bool signal = false;
    std::span<const uint8_t> program;
};

/// Runs the programs of one function, [begin, end), and adds its rows.
void run_unwind_programs(const UnwindCommon& common, std::span<const uint8_t> program, uint64_t begin, uint64_t end,
                         std::vector<UnwindRow>& rows);

} // namespace dt
