// Unwind rows as bytes, some four each where the rows themselves have sixteen: those of a large program are a million,
// come from another process, and are wanted once, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/packed_bytes.hpp"
#include "libdtrace/process/unwind_rows.hpp"

namespace dt {

class PackedUnwindRows {
public:
    static constexpr std::size_t kMost = 32 << 20; ///< of a file; more is one that lies

    PackedUnwindRows() = default;
    /// In the order of their addresses.
    explicit PackedUnwindRows(std::span<const UnwindRow> rows);
    /// What another process tells, which may be anything: empty where it is not as bytes() has it, the addresses do not
    /// grow from row to row, or they are too many.
    static PackedUnwindRows told(std::string bytes);

    const std::string& bytes() const { return bytes_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Of the first and the last row; 0 where there are none.
    uint64_t first() const { return first_; }
    uint64_t last() const { return last_; }

    /// One row after the other. The rows must outlive it.
    class Cursor {
    public:
        explicit Cursor(const PackedUnwindRows& rows);
        bool at_end() const { return at_end_; }
        const UnwindRow& row() const { return row_; } ///< not at the end
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
    std::string bytes_; ///< the rules, how many rows; of each how far it is from the one before, and which rule
    std::size_t count_ = 0;
    uint64_t first_ = 0, last_ = 0;
};

} // namespace dt
