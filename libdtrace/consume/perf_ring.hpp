// The perf buffer of one CPU.
#pragma once

#include <cstddef>
#include <vector>

#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class PerfRing final : public Ring {
public:
    /// `mapping` is the perf_event_mmap_page followed by the data area.
    PerfRing(void* mapping, std::size_t mapping_size, std::size_t page_size, uint32_t cpu);

private:
    uint64_t written() const override;
    void give_back(uint64_t position) override;
    bool find_front() override;
    const uint8_t* contiguous(uint64_t at, std::size_t size);

    void* page_;
    const uint8_t* data_;
    uint64_t missing_ = 0, former_ = 0; // lost samples before the next sample; time of the previous one
    std::vector<uint8_t> wrapped_;      // copy of a record that wraps at the end
};

/// Returns the bytes that a sample with `data_size` bytes of data takes in a buffer. kLostRecordSize is the size of the
/// record about lost samples that the kernel may put before it.
std::size_t record_size(std::size_t data_size);
constexpr std::size_t kLostRecordSize = 24;

} // namespace dt::consume
