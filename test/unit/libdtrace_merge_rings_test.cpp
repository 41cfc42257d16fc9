// Tests reading perf buffers, which the test builds in memory, and the order in which samples of several buffers are
// printed.
#include <deque>
#include <linux/perf_event.h>

#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/buffers/rings.hpp"
#include "libdtrace_support.hpp"

using namespace dt;
using namespace dt::consume;

namespace {

constexpr std::size_t kBufferPage = 4096;

// The perf buffer of one CPU: a header page and `pages` data pages. Its records have the form in which the kernel
// writes them.
class Buffer {
public:
    explicit Buffer(std::size_t pages = 1) : memory_((1 + pages) * kBufferPage / 8) {}

    PerfRing ring(uint32_t cpu) { return PerfRing(memory_.data(), memory_.size() * 8, kBufferPage, cpu); }

    void sample(uint64_t time, uint32_t stmt, uint32_t probe = 7, uint32_t data = 0)
    {
        const uint32_t raw_size = sizeof(dt_sample) + 4 + 4; // the kernel pads records to multiples of 8 bytes
        const dt_sample head{sizeof(dt_sample) + 4, 0, probe, stmt};
        std::vector<uint8_t> record(8 + 8 + 4 + raw_size);
        std::memcpy(record.data() + 8, &time, 8);
        std::memcpy(record.data() + 16, &raw_size, 4);
        std::memcpy(record.data() + 20, &head, sizeof head);
        std::memcpy(record.data() + 20 + sizeof head, &data, 4);
        put(PERF_RECORD_SAMPLE, record);
    }
    void lost(uint64_t count = 0)
    {
        std::vector<uint8_t> record(24);
        std::memcpy(record.data() + 16, &count, sizeof count);
        put(PERF_RECORD_LOST, record);
    }
    void put(uint32_t type, std::vector<uint8_t> record)
    {
        record.resize((record.size() + 7) / 8 * 8);
        const perf_event_header header{type, 0, static_cast<uint16_t>(record.size())};
        std::memcpy(record.data(), &header, sizeof header);
        auto* data = reinterpret_cast<uint8_t*>(memory_.data()) + kBufferPage;
        const std::size_t size = memory_.size() * 8 - kBufferPage;
        for (const uint8_t byte : record)
            data[page()->data_head++ % size] = byte;
    }
    perf_event_mmap_page* page() { return reinterpret_cast<perf_event_mmap_page*>(memory_.data()); }

private:
    std::vector<uint64_t> memory_;
};

// Merges the samples of several buffers by time or by CPU. Each sample has its own statement id; the functions return
// the ids in the order in which the samples would be printed.
struct Merged {
    explicit Merged(std::size_t cpus) : buffers(cpus) {}

    void open()
    {
        for (std::size_t i = 0; i < buffers.size(); ++i)
            rings.push_back(&buffers_read.emplace_back(buffers[i].ring(static_cast<uint32_t>(i))));
        refresh();
    }
    void refresh()
    {
        for (Ring* ring : rings)
            ring->refresh();
    }
    std::string by_time(uint64_t limit = UINT64_MAX)
    {
        std::string order;
        held_back =
            merge_by_time(rings, limit, [&](const Sample& sample) { order += std::to_string(sample.stmt) + " "; });
        return order;
    }
    std::string by_cpu(bool final_pass)
    {
        std::string order;
        cpu_order.run(rings, final_pass, [&](const Sample& sample) { order += std::to_string(sample.stmt) + " "; });
        return order;
    }

    std::vector<Buffer> buffers;
    std::deque<PerfRing> buffers_read;
    RingList rings;
    CpuOrder cpu_order;
    bool held_back = false;
};

} // namespace

TEST(PerfRing, ASampleIsDecoded)
{
    Buffer buffer;
    buffer.sample(42, 3, 9, 0x1234);
    PerfRing ring = buffer.ring(5);
    EXPECT_EQ(ring.front(), nullptr) << "nothing is seen before refresh()";
    ring.refresh();
    const Sample* sample = ring.front();
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->time, 42u);
    EXPECT_EQ(sample->cpu, 5u);
    EXPECT_EQ(sample->stmt, 3u);
    EXPECT_EQ(sample->probe, 9u);
    ASSERT_EQ(sample->size, 4u);
    EXPECT_EQ(format::load<uint32_t>(sample->data), 0x1234u);
    ring.pop();
    EXPECT_EQ(ring.front(), nullptr);
    ring.release();
    EXPECT_EQ(buffer.page()->data_tail, buffer.page()->data_head);
}

TEST(PerfRing, RecordsOfOtherTypesAreSkipped)
{
    Buffer buffer;
    buffer.lost();
    buffer.sample(1, 3);
    buffer.lost();
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 3u);
    ring.pop();
    EXPECT_EQ(ring.front(), nullptr);
    ring.release();
    EXPECT_EQ(buffer.page()->data_tail, buffer.page()->data_head);
}

TEST(PerfRing, RecordsThatWrapAroundTheEndAreComplete)
{
    Buffer buffer;
    PerfRing ring = buffer.ring(0);
    // 4096 is not a multiple of the record size, 48 bytes, so some records wrap around the end of the buffer
    for (uint32_t i = 0; i < 1000; ++i) {
        buffer.sample(i, i, i, i * 3);
        ring.refresh();
        ASSERT_TRUE(ring.front());
        ASSERT_EQ(ring.front()->stmt, i);
        ASSERT_EQ(ring.front()->probe, i);
        ASSERT_EQ(format::load<uint32_t>(ring.front()->data), i * 3);
        ring.pop();
        ring.release();
    }
}

TEST(PerfRing, SpaceIsGivenBackToTheKernelDuringAPass)
{
    Buffer buffer;
    for (uint32_t i = 0; i < 80; ++i)
        buffer.sample(i, i);
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    EXPECT_TRUE(ring.was_filling_up());
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(ring.front());
        ring.pop();
    }
    EXPECT_GT(buffer.page()->data_tail, 0u);
}

TEST(PerfRing, MalformedSamplesAreSkipped)
{
    Buffer buffer;
    buffer.put(PERF_RECORD_SAMPLE, std::vector<uint8_t>(16)); // a malformed sample that is shorter than its header
    std::vector<uint8_t> liar(64);
    const uint32_t raw_size = 44, claimed = 4000;
    std::memcpy(liar.data() + 16, &raw_size, 4);
    std::memcpy(liar.data() + 20, &claimed, 4);
    buffer.put(PERF_RECORD_SAMPLE, liar);
    buffer.sample(1, 8);
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    ASSERT_TRUE(ring.front());
    EXPECT_EQ(ring.front()->stmt, 8u);
}

TEST(PerfRing, ReadingEndsAtARecordOfSizeZero)
{
    Buffer buffer;
    buffer.page()->data_head = 64; // a record of zeros only, so the size in its header is 0
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    EXPECT_EQ(ring.front(), nullptr);
}

// The size of this record is not a multiple of 8. The next header would be unaligned and might cross the end of the
// buffer, so reading ends.
TEST(PerfRing, ReadingEndsAtARecordOfAnUnalignedSize)
{
    Buffer buffer;
    buffer.sample(1, 1);
    const uint64_t size = buffer.page()->data_head;
    auto* data = reinterpret_cast<uint8_t*>(buffer.page()) + kBufferPage;
    std::memmove(data + 12, data, size);
    const perf_event_header odd{PERF_RECORD_SAMPLE, 0, 12};
    std::memcpy(data, &odd, sizeof odd);
    buffer.page()->data_head = 12 + size;
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    EXPECT_EQ(ring.front(), nullptr);
}

TEST(PerfRing, LostRecordsAreReportedAtTheNextSampleWithTheTimeOfThePreviousOne)
{
    Buffer buffer;
    buffer.lost(2);
    buffer.sample(100, 1);
    buffer.sample(200, 2);
    buffer.lost(3);
    buffer.lost(4);
    buffer.sample(300, 3);
    PerfRing ring = buffer.ring(0);
    ring.refresh();
    std::string told;
    for (; const Sample* sample = ring.front(); ring.pop())
        told += std::to_string(sample->missing) + " since " + std::to_string(sample->former) + "; ";
    EXPECT_EQ(told, "2 since 0; 0 since 100; 7 since 200; ");
}

TEST(PerfRingSize, IsRoundedUpToAPowerOfTwoPages)
{
    EXPECT_EQ(round_buffer_size(1, 4096), 4096u);
    EXPECT_EQ(round_buffer_size(4096, 4096), 4096u);
    EXPECT_EQ(round_buffer_size(4097, 4096), 8192u);
    EXPECT_EQ(round_buffer_size(3 * 4096, 4096), 16384u);
    EXPECT_EQ(round_buffer_size(4 << 20, 4096), std::size_t{4 << 20});
}

TEST(RingMerge, SamplesOfAllCpusAreSortedByTime)
{
    Merged m(3);
    m.buffers[0].sample(1, 10);
    m.buffers[0].sample(5, 50);
    m.buffers[1].sample(2, 20);
    m.buffers[1].sample(3, 30);
    m.buffers[2].sample(4, 40);
    m.open();
    EXPECT_EQ(m.by_time(), "10 20 30 40 50 ");
    EXPECT_FALSE(m.held_back);
}

TEST(RingMerge, SamplesWithEqualTimesAreSortedByCpu)
{
    Merged m(3);
    for (uint32_t cpu : {2, 0, 1}) {
        m.buffers[cpu].sample(5, cpu);
        m.buffers[cpu].sample(5, cpu + 10);
    }
    m.open();
    EXPECT_EQ(m.by_time(), "0 10 1 11 2 12 ");
}

TEST(RingMerge, SamplesNewerThanTheLimitOfAPassWaitForTheNextPass)
{
    Merged m(2);
    m.buffers[0].sample(1, 1);
    m.buffers[0].sample(9, 9);
    m.buffers[1].sample(2, 2);
    m.open();
    EXPECT_EQ(m.by_time(5), "1 2 ");
    EXPECT_TRUE(m.held_back);
    m.buffers[1].sample(8, 8); // arrives late: its time is before 9, the time of a sample that waits for the next pass
    m.refresh();
    EXPECT_EQ(m.by_time(10), "8 9 ");
}

TEST(RingMerge, ManySamplesStayInOrder)
{
    Merged m(4);
    for (std::size_t i = 0; i < 4; ++i)
        m.buffers[i] = Buffer(8);
    uint32_t random = 12345;
    for (uint32_t i = 0; i < 1000; ++i) {
        random = random * 1103515245 + 12345;
        m.buffers[(random >> 16) % 4].sample(i, i);
    }
    m.open();
    std::string expected;
    for (uint32_t i = 0; i < 1000; ++i)
        expected += std::to_string(i) + " ";
    EXPECT_EQ(m.by_time(), expected);
}

TEST(CpuOrder, TheCpuThatRanBeginComesFirst)
{
    Merged m(2);
    m.buffers[0].sample(2, 20);
    m.buffers[1].sample(1, 10, kBeginProbe);
    m.buffers[1].sample(3, 30);
    m.open();
    EXPECT_EQ(m.by_cpu(false), "10 30 20 ");
}

TEST(CpuOrder, TheCpuThatRanEndComesLastInTheFinalPass)
{
    Merged m(2);
    m.open();
    EXPECT_EQ(m.by_cpu(false), "");
    m.buffers[0].sample(2, 20);
    m.buffers[0].sample(3, 30, kEndProbe);
    m.buffers[1].sample(1, 10);
    m.refresh();
    EXPECT_EQ(m.by_cpu(true), "20 10 30 ");
}

TEST(CpuOrder, BeginAndEndMayRunOnTheSameCpu)
{
    Merged m(2);
    m.buffers[0].sample(1, 10, kBeginProbe);
    m.buffers[0].sample(2, 15);
    m.buffers[0].sample(9, 90, kEndProbe);
    m.buffers[1].sample(3, 20);
    m.open();
    EXPECT_EQ(m.by_cpu(true), "10 20 15 90 ");
}
