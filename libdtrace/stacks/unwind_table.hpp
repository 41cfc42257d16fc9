// The unwind table of a file, in the form in which BPF programs read it (abi.h). The table consists of pages of 4-byte
// rows. Each row contains the low bits of an address and the index of a rule. The tables of all files use one array of
// rules. A large table is split into parts, each of which fits into a chunk of memory.
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

// Memory for the unwind tables that BPF programs read: chunks of shared memory in maps, created when needed.
//
// A BPF program that is still running may read memory that was just released, so the memory is reused only one second
// after its release. Adding a chunk to the map of chunks takes the kernel about 10 ms, because it waits for programs
// that may use the changed element. prepare() can add chunks in another thread.

namespace dt {

class UnwindMemory {
public:
    struct Allocation {
        uint32_t chunk = 0, at = 0, words = 0;
    };

    /// `outer` is the descriptor of the map of chunks; `most` is the maximum number of chunks. A thread is started
    /// immediately to create the first chunk.
    explicit UnwindMemory(int outer, uint32_t most = DT_UNWIND_CHUNKS);
    ~UnwindMemory();
    UnwindMemory(const UnwindMemory&) = delete;
    UnwindMemory& operator=(const UnwindMemory&) = delete;

    /// Allocates `words` words (at most a chunk), aligned to DT_UNWIND_MAPPING_WORDS. Returns nothing if all chunks are
    /// full.
    std::optional<Allocation> take(uint32_t words);
    /// Returns the memory of an allocation. The caller must write to the memory immediately: a chunk that was not
    /// written for some time is unmapped from this process.
    uint32_t* words(const Allocation& place)
    {
        return static_cast<uint32_t*>(chunks_[place.chunk].map.memory()) + place.at;
    }
    void release_memory(const Allocation& place);
    /// Creates enough chunks for allocations of `words` words in total, so that take() need not create chunks. This is
    /// the only member function that other threads may call.
    void prepare(uint64_t words);
    /// Makes released memory available again if it was released at least a second before `now`.
    void settle(std::chrono::steady_clock::time_point now);

    /// Creates a map of the same kind as the chunks, and returns its descriptor, which the caller must close. Returns a
    /// negative number if the kernel refuses.
    static int make_chunk();

private:
    struct Returned {
        Allocation place;
        std::chrono::steady_clock::time_point when;
    };
    struct Chunk {
        SharedMemory map; ///< the chunk's memory; it is unmapped when it was not written recently
        int descriptor = -1;
        std::chrono::steady_clock::time_point written{};
    };
    bool add_chunk();
    void add_first_chunk();
    std::optional<Allocation> take_free(uint32_t words);
    std::size_t whole_chunks();

    int outer_;
    std::vector<Chunk> chunks_; ///< chunks; one element per possible chunk
    std::mutex mutex_;          ///< guards the members that follow it
    uint32_t made_ = 0;         ///< number of chunks, including one that is being created
    /// free ranges of each chunk: the first word of the range, and its number of words
    std::vector<std::map<uint32_t, uint32_t>> free_;
    std::vector<Returned> returned_;
    std::thread first_;
};

/// The rules of all tables. Rows refer to a rule by its index.
class UnwindRules {
public:
    /// `rules` is an array of DT_UNWIND_RULES rules that BPF programs read; the first rule is always DT_CFA_NONE.
    explicit UnwindRules(dt_unwind_rule* rules) : rules_(rules) {}
    /// Returns the rule's index in the array; 0 if the array is full.
    uint16_t number(const dt_unwind_rule& rule);
    std::size_t size() const { return numbers_.size(); }

private:
    dt_unwind_rule* rules_;
    std::unordered_map<uint64_t, uint16_t> numbers_;
};

/// A part of a table: an index, followed by rows. The words of the index are offsets, in words, from the beginning of
/// the part.
struct UnwindPart {
    uint64_t begin = 0, end = 0, base = 0; ///< link-time addresses: begin and end of the part, and of its first page
    /// number of pages; the words of the part are `pages` + 1 words of the index, followed by the rows
    uint32_t pages = 0;
    std::vector<uint32_t> words;
};

/// Creates the parts of a table in order.
class UnwindParts {
public:
    /// `rows` is the result of read_unwind_rows(). `rows` and `rules` must outlive this object.
    UnwindParts(const PackedUnwindRows& rows, UnwindRules& rules) : rows_(rows.begin()), rules_(rules) {}
    /// Returns the next part of the table, or nothing after the last part.
    std::optional<UnwindPart> next();

private:
    std::vector<uint32_t> pack_page(uint64_t page);

    PackedUnwindRows::Cursor rows_;
    UnwindRules& rules_;
    uint16_t rule_ = 0; ///< rule at the beginning of the next page
    std::size_t words_ = 0;
};

/// Returns an upper bound of the total number of words in all parts.
uint64_t max_word_count(const PackedUnwindRows& rows);

/// A code segment of a file: its offset in the file, its size and its link-time address.
struct CodeSegment {
    uint64_t offset = 0, size = 0, address = 0;
    bool operator==(const CodeSegment&) const = default;
};

std::vector<CodeSegment> code_segments(Elf* elf);

/// An unwind table in memory that BPF programs can read.
class UnwindTable {
public:
    struct Part {
        uint64_t begin = 0, end = 0, base = 0;
        UnwindMemory::Allocation place;
    };

    /// `rows` are the file's rows from read_unwind_rows(). If `memory` has not enough room, the table is incomplete and
    /// `full` is set to true.
    UnwindTable(const PackedUnwindRows& rows, UnwindRules& rules, UnwindMemory& memory, bool& full);
    ~UnwindTable();
    UnwindTable(const UnwindTable&) = delete;
    UnwindTable& operator=(const UnwindTable&) = delete;

    const std::vector<Part>& parts() const { return parts_; }
    bool is_whole() const { return is_whole_; } ///< returns false if memory ran out, so that the table is incomplete

private:
    UnwindMemory& memory_;
    std::vector<Part> parts_;
    bool is_whole_ = true;
};

} // namespace dt
