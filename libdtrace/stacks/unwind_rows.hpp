// Compressed unwind rows: about four bytes each instead of sixteen. A large program has a million rows, which another
// process sends, and they are read only once and in order.
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
    static constexpr std::size_t kMost = 32 << 20; ///< limit of rows per file; more are invalid

    PackedUnwindRows() = default;
    /// Packs rows that are sorted by address.
    explicit PackedUnwindRows(std::span<const UnwindRow> rows);
    /// Checks untrusted bytes from another process. Returns no rows if the format is wrong, the addresses do not
    /// increase, or there are too many.
    static PackedUnwindRows told(std::string bytes);

    const std::string& bytes() const { return bytes_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Return the addresses of the first and the last row; 0 if there are none.
    uint64_t first() const { return first_; }
    uint64_t last() const { return last_; }

    /// Iterator over the rows, which must outlive it.
    class Cursor {
    public:
        explicit Cursor(const PackedUnwindRows& rows);
        bool at_end() const { return at_end_; }
        const UnwindRow& row() const { return row_; } ///< requires !at_end()
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
    std::string
        bytes_; ///< the rules and the number of rows, then for each row its distance from the previous one and its rule
    std::size_t count_ = 0;
    uint64_t first_ = 0, last_ = 0;
};

} // namespace dt
