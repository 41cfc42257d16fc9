// The unwind table of a file, in the form that walks read (abi.h): pages of 4-byte rows, each the low bits of an
// address and the number of a rule that all files share. A large table is several parts, so that each fits a chunk.
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

/// The rules of all tables, numbered.
class UnwindRules {
public:
    /// `rules`: DT_UNWIND_RULES of them, which walks read; the first stays DT_CFA_NONE.
    explicit UnwindRules(dt_unwind_rule* rules) : rules_(rules) {}
    /// 0 when there is no room for one more.
    uint16_t number(const dt_unwind_rule& rule);
    std::size_t size() const { return numbers_.size(); }

private:
    dt_unwind_rule* rules_;
    std::unordered_map<uint64_t, uint16_t> numbers_;
};

/// A part of a table. Words that say where a page's rows are count from the part's own beginning.
struct UnwindPart {
    uint64_t begin = 0, end = 0, base = 0; ///< link-time
    uint32_t pages = 0;                    ///< so many and one more words say where rows are, the rows follow
    std::vector<uint32_t> words;
};

/// The parts of a table, one after the other.
class UnwindParts {
public:
    /// What read_unwind_rows() gives. Both must outlive it.
    UnwindParts(const PackedUnwindRows& rows, UnwindRules& rules) : rows_(rows.begin()), rules_(rules) {}
    /// None: there are no more.
    std::optional<UnwindPart> next();

private:
    std::vector<uint32_t> pack_page(uint64_t page);

    PackedUnwindRows::Cursor rows_;
    UnwindRules& rules_;
    uint16_t rule_ = 0; ///< in force where the next page begins
    std::size_t words_ = 0;
};

/// As many words as the parts have together, or a few more.
uint64_t most_words(const PackedUnwindRows& rows);

/// Where the code of a file lies in it and in memory.
struct CodeSegment {
    uint64_t offset = 0, size = 0, address = 0;
    bool operator==(const CodeSegment&) const = default;
};

std::vector<CodeSegment> code_segments(Elf* elf);

/// A table that walks can read.
class UnwindTable {
public:
    struct Part {
        uint64_t begin = 0, end = 0, base = 0;
        UnwindMemory::Place place;
    };

    /// `rows`: what read_unwind_rows() gives of the file. Not whole, and `full` set, when there is no memory for it.
    UnwindTable(const PackedUnwindRows& rows, UnwindRules& rules, UnwindMemory& memory, bool& full);
    ~UnwindTable();
    UnwindTable(const UnwindTable&) = delete;
    UnwindTable& operator=(const UnwindTable&) = delete;

    const std::vector<Part>& parts() const { return parts_; }
    bool is_whole() const { return is_whole_; } ///< there was memory for all of it

private:
    UnwindMemory& memory_;
    std::vector<Part> parts_;
    bool is_whole_ = true;
};

} // namespace dt
