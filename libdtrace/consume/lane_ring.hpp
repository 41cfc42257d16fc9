// A fast lane of one CPU: a BPF ring buffer, of which one program at a time writes whole samples.
#pragma once

#include <cstddef>

#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class LaneRing final : public Ring {
public:
    /// `map`: a ring buffer, of which the kernel lets map the page with the reader's position and the page with the
    /// writer's, both mapped here, and behind them the data area twice, so that no record is in two pieces. Of that
    /// only what waits to be read is mapped, piece by piece: most lanes are empty most of the time, and would else be
    /// the largest part of the tracer's resident memory. `size`: of the data area.
    LaneRing(int map, void* consumer, const void* producer, std::size_t size, std::size_t page_size, uint32_t cpu);
    ~LaneRing() override;
    LaneRing(const LaneRing&) = delete;
    LaneRing& operator=(const LaneRing&) = delete;

    /// Bytes that are mapped of the data area.
    std::size_t mapped() const { return window_size_; }

private:
    uint64_t written() const override;
    void give_back(uint64_t position) override;
    bool find_front() override;
    const uint8_t* at(uint64_t position, std::size_t bytes);
    void unmap();

    int map_;
    void* consumer_;
    const void* producer_;
    const std::size_t page_size_;
    uint8_t* window_ = nullptr;    ///< what is mapped
    uint64_t window_position_ = 0; ///< what it begins with
    std::size_t window_size_ = 0;
    std::size_t piece_; ///< as much is mapped at once, if it waits
};

} // namespace dt::consume
