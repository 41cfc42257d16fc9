// Where the kernel is, asked by a clock some two thousand times a second on each CPU (perf_event_open(2)).
//
// The processor's counter of cycles interrupts whatever it runs; where a machine has none, the kernel's own clock asks,
// which does not interrupt code that runs with interrupts off: probes whose trap leaves them off are not seen then.
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
    static constexpr uint64_t kPerSecond = 1999; ///< odd, so that no rhythm of the machine agrees with it
    static constexpr uint64_t kPeriod = 1'000'000'000 / kPerSecond; ///< ns that a sample stands for

    ClockSamples() = default;
    ~ClockSamples();
    ClockSamples(const ClockSamples&) = delete;
    ClockSamples& operator=(const ClockSamples&) = delete;

    /// Begins, on all CPUs that are online.
    Result<void> open();
    bool is_open() const { return buffer_ != nullptr; }
    /// Whether code with interrupts off is seen.
    bool sees_all() const { return sees_all_; }

    /// Calls `take` with what came since: addresses in the kernel, that of the instruction first, then where each
    /// function returns to. Neither idle CPUs nor user code are told of.
    void read(const std::function<void(std::span<const uint64_t> frames)>& take);
    /// Samples that found no room.
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
    const std::function<void(std::span<const uint64_t>)>* take_ = nullptr; ///< during read()
};

} // namespace dt
