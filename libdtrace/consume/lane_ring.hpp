// A fast lane of one CPU: programs write samples into it as into any memory (struct dt_lane).
#pragma once

#include <cstddef>

#include "bpf-runtime/abi.h"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class LaneRing final : public Ring {
public:
    /// `map`: whose memory is a struct dt_lane, with its head mapped at `head`. Of the data only what waits to be read
    /// is mapped, piece by piece: most lanes are empty most of the time, and would else be the largest part of the
    /// tracer's resident memory. A small piece stays mapped while samples come: to map one at each look costs more than
    /// what is read.
    LaneRing(int map, dt_lane* head, std::size_t page_size, uint32_t cpu);
    ~LaneRing() override;
    LaneRing(const LaneRing&) = delete;
    LaneRing& operator=(const LaneRing&) = delete;

    /// Bytes that are mapped of the data.
    std::size_t mapped() const { return window_size_; }

private:
    uint64_t written() const override;
    void give_back(uint64_t position) override;
    bool find_front() override;
    void found_nothing_new() override;
    uint8_t* at(uint64_t position, std::size_t bytes);
    void clear();
    void unmap();

    int map_;
    dt_lane* head_of_lane_;
    const std::size_t page_size_;
    uint8_t* window_ = nullptr; ///< what is mapped
    std::size_t window_at_ = 0; ///< where in the map it begins
    std::size_t window_size_ = 0;
    std::size_t piece_;        ///< as much is mapped at once, if it waits
    unsigned quiet_looks_ = 0; ///< at which nothing had come, one after the other
    uint8_t* shown_ = nullptr; ///< the sample that was found last, in the window
    std::size_t shown_size_ = 0;
    uint64_t latest_ = 0; ///< time of a sample
};

} // namespace dt::consume
