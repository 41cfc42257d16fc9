// Fast lanes read from hand-made memory, laid out as the kernel lays out a ring buffer.
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdtrace/consume/lane_ring.hpp"
#include "libdtrace_support.hpp"

using namespace dt;
using namespace dt::consume;

namespace {

constexpr std::size_t kLanePage = 4096, kLaneSize = 64 * kLanePage;

class Lane {
public:
    Lane()
    {
        if (ftruncate(file_, kBytes) == 0)
            memory_ = static_cast<uint64_t*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
    }
    ~Lane()
    {
        munmap(memory_, kBytes);
        close(file_);
    }
    Lane(const Lane&) = delete;

    LaneRing ring() { return LaneRing(file_, memory_, memory_ + kLanePage / 8, kLaneSize, kLanePage, 3); }

    // A sample of one word of data, with its time behind it.
    void sample(uint64_t time, uint32_t stmt, uint64_t data, uint32_t bits = 0)
    {
        const dt_sample head{sizeof(dt_sample) + 8, 0, 7, stmt};
        std::vector<uint64_t> record(5);
        const auto length = static_cast<uint32_t>(record.size() * 8 - BPF_RINGBUF_HDR_SZ);
        const uint32_t word = length | bits;
        std::memcpy(record.data(), &word, sizeof word);
        std::memcpy(record.data() + 1, &head, sizeof head);
        record[3] = data;
        record[4] = time;
        put(record);
    }
    void put(const std::vector<uint64_t>& record)
    {
        for (const uint64_t word : record) {
            const std::size_t at = 2 * kLanePage / 8 + written() % kLaneSize / 8;
            memory_[at] = memory_[at + kLaneSize / 8] = word; // it is mapped twice
            written() += 8;
        }
    }
    uint64_t read() const { return memory_[0]; }
    uint64_t& written() { return memory_[kLanePage / 8]; }
    uint64_t& first_word() { return memory_[2 * kLanePage / 8]; }

private:
    static constexpr std::size_t kBytes = 2 * kLanePage + 2 * kLaneSize;
    int file_ = memfd_create("lane", MFD_CLOEXEC);
    uint64_t* memory_ = nullptr;
};

} // namespace

TEST(LaneRing, DecodesASample)
{
    Lane lane;
    lane.sample(42, 3, 99);
    LaneRing ring = lane.ring();
    EXPECT_EQ(ring.front(), nullptr) << "nothing is known before refresh()";
    ring.refresh();
    ASSERT_TRUE(ring.front());
    const Sample& sample = *ring.front();
    EXPECT_EQ(sample.time, 42u);
    EXPECT_EQ(sample.cpu, 3u);
    EXPECT_EQ(sample.probe, 7u);
    EXPECT_EQ(sample.stmt, 3u);
    ASSERT_EQ(sample.size, 8u);
    EXPECT_EQ(format::load<uint64_t>(sample.data), 99u);
    ring.pop();
    EXPECT_EQ(ring.front(), nullptr);
    ring.release();
    EXPECT_EQ(lane.read(), lane.written());
}

TEST(LaneRing, WhatIsBeingWrittenIsWaitedFor)
{
    Lane lane;
    lane.sample(1, 1, 0, BPF_RINGBUF_BUSY_BIT);
    lane.sample(2, 2, 0);
    LaneRing ring = lane.ring();
    ring.refresh();
    EXPECT_EQ(ring.front(), nullptr);
    lane.first_word() &= ~uint64_t{BPF_RINGBUF_BUSY_BIT};
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 1u);
}

TEST(LaneRing, WhatIsDiscardedIsSkipped)
{
    Lane lane;
    lane.sample(1, 1, 0, BPF_RINGBUF_DISCARD_BIT);
    lane.sample(2, 2, 0);
    LaneRing ring = lane.ring();
    ring.refresh();
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 2u);
}

TEST(LaneRing, RecordsThatGoOverTheEndAreWhole)
{
    Lane lane;
    LaneRing ring = lane.ring();
    for (uint32_t i = 0; i < 10'000; ++i) {
        lane.sample(i, i, i * 3);
        ring.refresh();
        ASSERT_TRUE(ring.front());
        ASSERT_EQ(ring.front()->time, i);
        ASSERT_EQ(format::load<uint64_t>(ring.front()->data), i * 3);
        ring.pop();
        ring.release();
        ASSERT_EQ(lane.read(), lane.written());
    }
}

TEST(LaneRing, ARecordLongerThanWhatIsWrittenEndsTheLane)
{
    Lane lane;
    lane.put({kLaneSize * 2, 0, 0});
    LaneRing ring = lane.ring();
    ring.refresh();
    EXPECT_EQ(ring.front(), nullptr);
}

TEST(LaneRing, MalformedSamplesAreSkipped)
{
    Lane lane;
    lane.put({8, 0});           // too short for a sample
    lane.put({24, 1000, 0, 0}); // a sample that says it is longer than its record
    lane.sample(5, 8, 0);
    LaneRing ring = lane.ring();
    ring.refresh();
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 8u);
}

namespace {

constexpr uint32_t kManyLaneSamples = 5000; // 200 kB

/// Bytes of each piece that was mapped while many samples were read.
std::vector<std::size_t> pieces_of_storm(Lane& lane, LaneRing& ring)
{
    for (uint32_t i = 0; i < kManyLaneSamples; ++i)
        lane.sample(i, i, i * 3);
    EXPECT_EQ(ring.mapped(), 0u);
    ring.refresh();
    std::vector<std::size_t> pieces;
    for (uint32_t i = 0; i < kManyLaneSamples && ring.front(); ++i, ring.pop()) {
        EXPECT_EQ(format::load<uint64_t>(ring.front()->data), i * 3);
        if (pieces.empty() || pieces.back() != ring.mapped())
            pieces.push_back(ring.mapped());
    }
    EXPECT_EQ(ring.front(), nullptr);
    ring.release();
    EXPECT_EQ(ring.mapped(), 0u);
    return pieces;
}

} // namespace

TEST(LaneRing, OnlyAPieceOfWhatWaitsIsMappedWhichGrowsWhileMuchWaits)
{
    constexpr std::size_t kLeast = 64 * 1024;
    Lane lane;
    LaneRing ring = lane.ring();
    const std::vector<std::size_t> pieces = pieces_of_storm(lane, ring);
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_EQ(pieces[0], kLeast);
    EXPECT_EQ(pieces[1], 2 * kLeast);
    EXPECT_LT(pieces[2], kLeast); // what is left
    for (uint64_t time = 0; time < 3; ++time) {
        lane.sample(time, 1, 2);
        ring.refresh();
        ASSERT_TRUE(ring.front());
        EXPECT_LE(ring.mapped(), 2 * kLanePage);
        ring.pop();
        ring.release();
    }
    EXPECT_EQ(pieces_of_storm(lane, ring).front(), kLeast); // it has rested
}
