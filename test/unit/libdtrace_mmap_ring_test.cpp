// Tests reading mmap rings (struct dt_mmap_ring), which the test builds in memory.
#include <sys/mman.h>
#include <unistd.h>

#include "libdtrace/buffers/mmap_ring.hpp"
#include "libdtrace_support.hpp"

using namespace dt;
using namespace dt::consume;

namespace {

constexpr std::size_t kLanePage = 4096;

class RingMemory {
public:
    RingMemory()
    {
        if (ftruncate(file_, sizeof(dt_mmap_ring)) == 0)
            memory_ = static_cast<dt_mmap_ring*>(
                mmap(nullptr, sizeof(dt_mmap_ring), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
    }
    ~RingMemory()
    {
        munmap(memory_, sizeof(dt_mmap_ring));
        close(file_);
    }
    RingMemory(const RingMemory&) = delete;

    MmapRing ring() { return MmapRing(file_, memory_, kLanePage, 3); }

    // Adds a sample with one word of data, followed by the time of the sample.
    void sample(uint64_t time, uint32_t stmt, uint64_t data)
    {
        const dt_sample head{sizeof(dt_sample) + 8, 0, 7, stmt};
        std::vector<uint64_t> record(4);
        std::memcpy(record.data(), &head, sizeof head);
        record[2] = data;
        record[3] = time;
        put(record);
    }
    void put(const std::vector<uint64_t>& record)
    {
        std::memcpy(memory_->data + written() % DT_MMAP_RING_BYTES, record.data(), record.size() * 8);
        written() += record.size() * 8;
    }
    uint64_t read() const { return memory_->read; }
    dt_u64& written() { return memory_->written; }
    uint64_t& word(std::size_t index) { return reinterpret_cast<uint64_t*>(memory_->data)[index]; }

private:
    int file_ = memfd_create("memory", MFD_CLOEXEC);
    dt_mmap_ring* memory_ = nullptr;
};

} // namespace

TEST(MmapRing, ASampleIsDecoded)
{
    RingMemory memory;
    memory.sample(42, 3, 99);
    MmapRing ring = memory.ring();
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
    EXPECT_EQ(memory.read(), memory.written());
}

TEST(MmapRing, ReadingWaitsForUnfinishedRecords)
{
    RingMemory memory;
    memory.sample(1, 1, 0);
    memory.sample(2, 2, 0);
    const uint64_t first = std::exchange(memory.word(0), 0);
    MmapRing ring = memory.ring();
    ring.refresh();
    EXPECT_EQ(ring.front(), nullptr);
    memory.word(0) = first;
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 1u);
}

TEST(MmapRing, ReleasedSpaceIsZeroed)
{
    RingMemory memory;
    memory.sample(1, 1, 11);
    memory.sample(2, 2, 22);
    MmapRing ring = memory.ring();
    ring.refresh();
    ASSERT_TRUE(ring.front());
    ring.pop();
    ASSERT_TRUE(ring.front()) << "this one is held back";
    ring.release();
    EXPECT_EQ(memory.read(), 32u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(memory.word(i), 0u);
    EXPECT_EQ(ring.front()->stmt, 2u);
    EXPECT_EQ(format::load<uint64_t>(ring.front()->data), 22u);
    ring.pop();
    ring.release();
    EXPECT_EQ(memory.read(), memory.written());
    EXPECT_EQ(memory.word(4), 0u);
    EXPECT_EQ(memory.word(7), 0u);
}

TEST(MmapRing, RecordsThatWrapAroundTheEndAreComplete)
{
    RingMemory memory;
    MmapRing ring = memory.ring();
    // starts with a short sample, which shifts the following samples by 24 bytes, so that some of them wrap around
    memory.put({sizeof(dt_sample), 0, 0});
    ring.refresh();
    ASSERT_TRUE(ring.front());
    ring.pop();
    for (uint32_t i = 0; i < 100'000; ++i) {
        memory.sample(i, i, i * 3);
        ring.refresh();
        ASSERT_TRUE(ring.front());
        ASSERT_EQ(ring.front()->time, i);
        ASSERT_EQ(format::load<uint64_t>(ring.front()->data), i * 3);
        ring.pop();
        ring.release();
        ASSERT_EQ(memory.read(), memory.written());
    }
}

TEST(MmapRing, TimesOfRecordsNeverDecrease)
{
    RingMemory memory;
    for (const uint64_t time : {10, 8, 12})
        memory.sample(time, 1, 0);
    MmapRing ring = memory.ring();
    ring.refresh();
    for (const uint64_t time : {10u, 10u, 12u}) {
        ASSERT_TRUE(ring.front());
        EXPECT_EQ(ring.front()->time, time);
        ring.pop();
    }
}

TEST(MmapRing, ReadingEndsAtMalformedData)
{
    for (const uint64_t word :
         {uint64_t{DT_MMAP_RING_BYTES}, uint64_t{8}, uint64_t{17}, uint64_t{sizeof(dt_sample) + 8}}) {
        // `word` is a sample's size that is invalid: above the maximum, too short, not a multiple of 8, beyond the
        // written data
        RingMemory memory;
        memory.put({word, 0, 0});
        MmapRing ring = memory.ring();
        ring.refresh();
        EXPECT_EQ(ring.front(), nullptr) << word;
        EXPECT_EQ(memory.read(), 0u);
    }
}

namespace {

constexpr uint32_t kManyLaneSamples = 7000; // the samples written so far take 224 kB in all

void look_in_vain(MmapRing& ring)
{
    for (int i = 0; i < 20; ++i)
        ring.refresh();
}

/// Writes many samples into the ring and reads them. The reader maps the ring in pieces; returns the sizes of these
/// pieces, in order.
std::vector<std::size_t> pieces_of_storm(RingMemory& memory, MmapRing& ring)
{
    for (uint32_t i = 0; i < kManyLaneSamples; ++i)
        memory.sample(i, i, i * 3);
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
    return pieces;
}

} // namespace

TEST(MmapRing, TheMappedPartGrowsWithTheBacklog)
{
    constexpr std::size_t kMin = 64 * 1024;
    RingMemory memory;
    MmapRing ring = memory.ring();
    const std::vector<std::size_t> pieces = pieces_of_storm(memory, ring);
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_EQ(pieces[0], kMin);
    EXPECT_EQ(pieces[1], 2 * kMin);
    EXPECT_EQ(pieces[2], kMin); // the remaining samples fit into a piece of the smallest size
    look_in_vain(ring);
    // the first piece is small again, because several reads before found no data
    EXPECT_EQ(pieces_of_storm(memory, ring).front(), kMin);
}

TEST(MmapRing, TheMappedPartKeepsItsSizeWhileSamplesArrive)
{
    RingMemory memory;
    MmapRing ring = memory.ring();
    for (uint64_t time = 0; time < 100; ++time) {
        memory.sample(time, 1, 2);
        ring.refresh();
        ASSERT_TRUE(ring.front());
        ring.pop();
        ring.release();
        EXPECT_EQ(ring.mapped(), 64u * 1024) << time;
        ring.refresh(); // this read finds no new data
    }
    look_in_vain(ring);
    EXPECT_EQ(ring.mapped(), 0u);
    EXPECT_EQ(memory.word(3), 0u) << "what was read is zeros again";
}
