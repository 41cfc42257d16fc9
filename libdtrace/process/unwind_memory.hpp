// The memory that walks of user stacks read: chunks that are maps, shared with the kernel, made when they are needed.
//
// What was given back may still be read by a walk that began before: it is used again a second later. To add a chunk
// takes the kernel some 10 ms, until nobody uses what was in its place: prepare() may do so in another thread.
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

    /// `outer`: descriptor of the map of chunks; `most`: chunks. The first is made at once, by a thread.
    explicit UnwindMemory(int outer, uint32_t most = DT_UNWIND_CHUNKS);
    ~UnwindMemory();
    UnwindMemory(const UnwindMemory&) = delete;
    UnwindMemory& operator=(const UnwindMemory&) = delete;

    /// Room for so many words (at most a chunk), at a multiple of DT_UNWIND_MAPPING_WORDS. None: all is in use.
    std::optional<Place> take(uint32_t words);
    /// Of a place that was just taken: to be written at once, as what nobody writes to is not mapped for long.
    uint32_t* words(const Place& place) { return static_cast<uint32_t*>(chunks_[place.chunk].map.memory()) + place.at; }
    void give_back(const Place& place);
    /// Makes chunks, so that take() need not for so many words in large pieces. The one thing that another thread may
    /// call.
    void prepare(uint64_t words);
    /// What was given back long enough ago may be taken again.
    void settle(std::chrono::steady_clock::time_point now);

    /// A map like each of the chunks, to be closed; negative: the kernel makes none.
    static int make_chunk();

private:
    struct Returned {
        Place place;
        std::chrono::steady_clock::time_point when;
    };
    struct Chunk {
        SharedMemory map; ///< hidden where nothing was written lately
        int descriptor = -1;
        std::chrono::steady_clock::time_point written{};
    };
    bool add_chunk();
    void add_first_chunk();
    std::optional<Place> take_free(uint32_t words);
    std::size_t whole_chunks();

    int outer_;
    std::vector<Chunk> chunks_;                      ///< made or not
    std::mutex mutex_;                               ///< guards what follows
    uint32_t made_ = 0;                              ///< or being made
    std::vector<std::map<uint32_t, uint32_t>> free_; ///< of each chunk: word, words
    std::vector<Returned> returned_;
    std::thread first_;
};

} // namespace dt
