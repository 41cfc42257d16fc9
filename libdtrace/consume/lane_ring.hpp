// A fast lane of one CPU: a BPF ring buffer, of which one program at a time writes whole samples.
#pragma once

#include <cstddef>

#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class LaneRing final : public Ring {
public:
    /// As the kernel maps a ring buffer: the page with the reader's position, and the page with the writer's, with the
    /// data area twice behind it, so that no record is in two pieces. `size`: of the data area.
    LaneRing(void* consumer, const void* producer, std::size_t size, std::size_t page_size, uint32_t cpu);

private:
    uint64_t written() const override;
    void give_back(uint64_t position) override;
    bool find_front() override;

    void* consumer_;
    const void* producer_;
    const uint8_t* data_;
};

} // namespace dt::consume
