// Memory for the unwind tables that BPF programs read: chunks of shared memory in maps, made on demand.
//
// A program that began before may still read freed memory, so it is reused only one second later. Adding a chunk takes
// the kernel about 10 ms, because it waits for users of the slot; prepare() can do that in another thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/shared_memory.hpp"
#include "bpf-runtime/abi.h"

namespace dt {

class UnwindMemory {
public:
    struct Place {
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
    std::optional<Place> take(uint32_t words);
    /// Returns the memory of an allocated place. Write to it at once, because unwritten chunks are soon unmapped.
    uint32_t* words(const Place& place) { return static_cast<uint32_t*>(chunks_[place.chunk].map.memory()) + place.at; }
    void give_back(const Place& place);
    /// Makes enough chunks for so many words in large pieces, so that take() need not. The only function that another
    /// thread may call.
    void prepare(uint64_t words);
    /// Frees memory that was given back long enough ago.
    void settle(std::chrono::steady_clock::time_point now);

    /// Makes a map like the chunks; the caller closes it. Negative if the kernel refuses.
    static int make_chunk();

private:
    struct Returned {
        Place place;
        std::chrono::steady_clock::time_point when;
    };
    struct Chunk {
        SharedMemory map; ///< the chunk's memory; unmapped if not written recently
        int descriptor = -1;
        std::chrono::steady_clock::time_point written{};
    };
    bool add_chunk();
    void add_first_chunk();
    std::optional<Place> take_free(uint32_t words);
    std::size_t whole_chunks();

    int outer_;
    std::vector<Chunk> chunks_;                      ///< one element per possible chunk
    std::mutex mutex_;                               ///< guards the following members
    uint32_t made_ = 0;                              ///< number of chunks, including one being made
    std::vector<std::map<uint32_t, uint32_t>> free_; ///< free ranges of each chunk: first word, number of words
    std::vector<Returned> returned_;
    std::thread first_;
};

} // namespace dt
