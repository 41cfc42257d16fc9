// Samples of kernel code, about two thousand per second and CPU (perf_event_open(2)).
//
// The processor's cycle counter interrupts any code. Machines without one use the kernel's clock, which does not
// interrupt code with interrupts off: probes whose trap disables interrupts are then not sampled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/result.hpp"

struct perf_buffer;

namespace dt {

class ClockSamples {
public:
    static constexpr uint64_t kPerSecond = 1999;                    ///< odd, to avoid resonance with periodic activity
    static constexpr uint64_t kPeriod = 1'000'000'000 / kPerSecond; ///< ns represented by a sample

    ClockSamples() = default;
    ~ClockSamples();
    ClockSamples(const ClockSamples&) = delete;
    ClockSamples& operator=(const ClockSamples&) = delete;

    /// Starts sampling on all online CPUs.
    Result<void> open();
    bool is_open() const { return buffer_ != nullptr; }
    /// Returns whether code with interrupts off is sampled.
    bool sees_all() const { return sees_all_; }

    /// Calls `take` with each new sample: kernel addresses, first of the instruction, then return addresses. Idle CPUs
    /// and user code are left out.
    void read(const std::function<void(std::span<const uint64_t> frames)>& take);
    /// Returns the number of samples lost because a buffer was full.
    uint64_t lost() const { return lost_; }

private:
    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    bool open_event(uint32_t type, uint64_t config);
    void handle(const void* record);

    std::unique_ptr<perf_buffer, Close> buffer_;
    int map_ = -1;
    bool sees_all_ = false;
    uint64_t lost_ = 0;
    const std::function<void(std::span<const uint64_t>)>* take_ = nullptr; ///< set during read()
};

} // namespace dt
