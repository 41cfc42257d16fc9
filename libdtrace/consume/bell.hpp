// The bell: how programs wake a consumer that sleeps long (struct dt_state, resting).
#pragma once

#include <cstddef>

namespace dt {
class LoadedMaps;
}
struct dt_state;

namespace dt::consume {

/// Without a ring buffer in the object nobody rings, and nothing that it does has to be seen soon.
class Bell {
public:
    Bell() = default;
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;
    ~Bell();

    /// Finds the bell of a loaded object, which must outlive this, as `state` must. False: it cannot be heard, and
    /// listen() is not to be called.
    bool open(const LoadedMaps& maps, volatile dt_state& state);

    /// From now on programs ring. False: one is ringing still.
    bool listen();
    /// Nobody needs to ring any more.
    void stop_listening();
    /// Has anybody rung since the last call? What it was about is there already.
    bool answer();

    /// Readable after somebody rang, until answer(). -1: nobody ever rings.
    int descriptor() const { return map_; }

private:
    int map_ = -1; ///< the object's
    volatile dt_state* state_ = nullptr;
    void* consumer_ = nullptr;       ///< the page with the position that was read
    const void* producer_ = nullptr; ///< and that with the one that was written
    std::size_t page_ = 0;
};

} // namespace dt::consume
