// The unwind table of a file in the form that BPF programs read (abi.h). It has pages of 4-byte rows, each with the low
// bits of an address and the number of a rule. All files share the rules. A large table has several parts, each of
// which fits into a chunk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/process/unwind_memory.hpp"
#include "libdtrace/process/packed_unwind_rows.hpp"
#include "libdtrace/process/unwind_rows.hpp"

namespace dt {

/// The numbered rules of all tables.
class UnwindRules {
public:
    /// `rules` is an array of DT_UNWIND_RULES rules that BPF programs read; the first stays DT_CFA_NONE.
    explicit UnwindRules(dt_unwind_rule* rules) : rules_(rules) {}
    /// Returns the rule's number; 0 if the array is full.
    uint16_t number(const dt_unwind_rule& rule);
    std::size_t size() const { return numbers_.size(); }

private:
    dt_unwind_rule* rules_;
    std::unordered_map<uint64_t, uint16_t> numbers_;
};

/// A part of a table. The words of its index count from the beginning of the part.
struct UnwindPart {
    uint64_t begin = 0, end = 0, base = 0; ///< link-time addresses
    uint32_t pages = 0;                    ///< the index has `pages` + 1 words, followed by the rows
    std::vector<uint32_t> words;
};

/// Produces the parts of a table in order.
class UnwindParts {
public:
    /// `rows` are the result of read_unwind_rows(). Both must outlive this object.
    UnwindParts(const PackedUnwindRows& rows, UnwindRules& rules) : rows_(rows.begin()), rules_(rules) {}
    /// Returns nothing after the last part.
    std::optional<UnwindPart> next();

private:
    std::vector<uint32_t> pack_page(uint64_t page);

    PackedUnwindRows::Cursor rows_;
    UnwindRules& rules_;
    uint16_t rule_ = 0; ///< rule at the beginning of the next page
    std::size_t words_ = 0;
};

/// Returns an upper bound of the number of words in all parts.
uint64_t most_words(const PackedUnwindRows& rows);

/// Position of a file's code in the file and in memory.
struct CodeSegment {
    uint64_t offset = 0, size = 0, address = 0;
    bool operator==(const CodeSegment&) const = default;
};

std::vector<CodeSegment> code_segments(Elf* elf);

/// A table in memory that BPF programs can read.
class UnwindTable {
public:
    struct Part {
        uint64_t begin = 0, end = 0, base = 0;
        UnwindMemory::Place place;
    };

    /// `rows` are the file's rows from read_unwind_rows(). If memory runs out, the table is incomplete and `full` is
    /// set.
    UnwindTable(const PackedUnwindRows& rows, UnwindRules& rules, UnwindMemory& memory, bool& full);
    ~UnwindTable();
    UnwindTable(const UnwindTable&) = delete;
    UnwindTable& operator=(const UnwindTable&) = delete;

    const std::vector<Part>& parts() const { return parts_; }
    bool is_whole() const { return is_whole_; } ///< returns false if memory ran out

private:
    UnwindMemory& memory_;
    std::vector<Part> parts_;
    bool is_whole_ = true;
};

} // namespace dt
