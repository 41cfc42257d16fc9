// Reader wakeup: lets BPF programs wake a consumer that sleeps for long, through a one-page ring buffer. The consumer
// requests a wakeup by setting dt_state.reader_state.
#pragma once

#include <cstddef>

namespace dt {
class LoadedMaps;
}
struct dt_state;

namespace dt::consume {

/// The consumer's end of the wakeup. If the loaded object has no ring buffer, its programs never send a wakeup, and its
/// records may wait until the consumer's next pass.
class ReaderWakeup {
public:
    ReaderWakeup() = default;
    ReaderWakeup(const ReaderWakeup&) = delete;
    ReaderWakeup& operator=(const ReaderWakeup&) = delete;
    ~ReaderWakeup();

    /// Finds the ring buffer of a loaded object. `maps` and `state` must outlive this object. Returns false if the
    /// buffer cannot be mapped; listen() must not be called then.
    bool open(const LoadedMaps& maps, volatile dt_state& state);

    /// Requests a wakeup from the BPF programs. Returns false if a program is sending one at this moment.
    bool listen();
    /// Withdraws the request for a wakeup.
    void stop_listening();
    /// Consumes pending wakeups, and returns whether any arrived since the last call. The records that caused these
    /// wakeups can be read afterwards.
    bool answer();

    /// Returns a descriptor, or -1 if no wakeup can arrive. The descriptor becomes readable at a wakeup and stays
    /// readable until answer().
    int descriptor() const { return map_; }

private:
    int map_ = -1; ///< descriptor of the ring buffer, which belongs to the object
    volatile dt_state* state_ = nullptr;
    void* consumer_ = nullptr;       ///< page with the ring buffer's read position
    const void* producer_ = nullptr; ///< page with the ring buffer's write position
    std::size_t page_ = 0;
};

} // namespace dt::consume
