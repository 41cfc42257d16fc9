// The unwind table of a file in the form that BPF programs read (abi.h). It has pages of 4-byte rows, each with the low
// bits of an address and the number of a rule. All files share the rules. A large table has several parts, each of
// which fits into a chunk.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/shared_memory.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/stacks/unwind_rows.hpp"

// Memory for the unwind tables that BPF programs read: chunks of shared memory in maps, made on demand.
//
// A program that began before may still read freed memory, so it is reused only one second later. Adding a chunk takes
// the kernel about 10 ms, because it waits for users of the slot; prepare() can do that in another thread.

namespace dt {

class UnwindMemory {
public:
    struct Allocation {
        uint32_t chunk = 0, at = 0, words = 0;
    };

    /// `outer` is the descriptor of the map of chunks, `most` the limit of chunks. A thread makes the first chunk at
    /// once.
    explicit UnwindMemory(int outer, uint32_t most = DT_UNWIND_CHUNKS);
    ~UnwindMemory();
    UnwindMemory(const UnwindMemory&) = delete;
    UnwindMemory& operator=(const UnwindMemory&) = delete;

    /// Allocates `words` words (at most a chunk) at a multiple of DT_UNWIND_MAPPING_WORDS. Returns nothing if no memory
    /// is free.
    std::optional<Allocation> take(uint32_t words);
    /// Returns the memory of an allocation. Write to this memory at once, because unwritten chunks are soon unmapped.
    uint32_t* words(const Allocation& place)
    {
        return static_cast<uint32_t*>(chunks_[place.chunk].map.memory()) + place.at;
    }
    void release_memory(const Allocation& place);
    /// Makes enough chunks for `words` words in large allocations, so that take() need not make chunks. This is the
    /// only member function that another thread may call.
    void prepare(uint64_t words);
    /// Makes memory available again that was released long enough ago.
    void settle(std::chrono::steady_clock::time_point now);

    /// Makes a map like the chunks; the caller closes it. Negative if the kernel refuses.
    static int make_chunk();

private:
    struct Returned {
        Allocation place;
        std::chrono::steady_clock::time_point when;
    };
    struct Chunk {
        SharedMemory map; ///< the chunk's memory; unmapped if not written recently
        int descriptor = -1;
        std::chrono::steady_clock::time_point written{};
    };
    bool add_chunk();
    void add_first_chunk();
    std::optional<Allocation> take_free(uint32_t words);
    std::size_t whole_chunks();

    int outer_;
    std::vector<Chunk> chunks_;                      ///< one element per possible chunk
    std::mutex mutex_;                               ///< guards the following members
    uint32_t made_ = 0;                              ///< number of chunks, including one being made
    std::vector<std::map<uint32_t, uint32_t>> free_; ///< free ranges of each chunk: first word, number of words
    std::vector<Returned> returned_;
    std::thread first_;
};

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
    uint64_t begin = 0, end = 0, base = 0; ///< link-time addresses of the part's begin, end and base
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
uint64_t max_word_count(const PackedUnwindRows& rows);

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
        UnwindMemory::Allocation place;
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
