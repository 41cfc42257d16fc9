// Tests the computed upper bound of the memory that a trace takes. The expected values were calculated by hand from the
// kernel's rules for allocation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "libdtrace/aggregations/aggregate_store.hpp"
#include "libdtrace/trace/memory_bound.hpp"
#include "libdtrace/trace/trace.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

const MachineSizes kFourCpus{4, 4096, 1000};
constexpr uint64_t kHead = 512;

PlannedMap planned(bpf_map_type type, uint32_t key, uint32_t value, uint64_t entries, uint32_t flags = 0)
{
    return {"m", static_cast<uint32_t>(type), key, value, flags, entries};
}

TEST(MapMemory, AnArrayTakesTheMemoryOfItsElements)
{
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_ARRAY, 4, 12, 10), kFourCpus), kHead + 10 * 16);
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 100, 1), kFourCpus), kHead + 8 + 4 * 104);
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 4), kFourCpus), kHead + 4 * 8);
}

TEST(MapMemory, MemoryMappedMapsTakeWholePages)
{
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_ARRAY, 4, 4097, 1, BPF_F_MMAPABLE), kFourCpus), 4096 + 2 * 4096);
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_RINGBUF, 0, 0, 65536), kFourCpus), kHead + 4 * 4096 + 65536);
}

TEST(MapMemory, TheNumberOfHashBucketsIsAPowerOfTwo)
{
    // Memory of a preallocated hash map: its elements, a spare element for each CPU, and a free list.
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_HASH, 8, 8, 1000), kFourCpus),
              kHead + 16 * 1024 + 4 * 32 + (1000 + 4) * (48 + 8 + 8) + 4 * 8);
    // An element that is allocated on demand has a header of 48 bytes, 8 bytes of key, 8 of value, and 8 for the
    // allocator. The allocator rounds these 72 bytes up to 96.
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_HASH, 8, 8, 1000, BPF_F_NO_PREALLOC), kFourCpus),
              kHead + 16 * 1024 + 4 * 32 + 1000 * 96);
    // An element of a per-CPU map has 48 + 16 + 8 + 8 = 80 bytes, rounded up to 96. The values of four CPUs and two
    // words for the allocator are separate.
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_PERCPU_HASH, 16, 24, 1024, BPF_F_NO_PREALLOC), kFourCpus),
              kHead + 16 * 1024 + 4 * 32 + 1024 * (96 + 4 * 24 + 16));
}

TEST(MapMemory, ThreadLocalMemoryIsCountedForTheMaximumNumberOfThreads)
{
    EXPECT_EQ(max_map_memory(planned(BPF_MAP_TYPE_TASK_STORAGE, 4, 32, 0, BPF_F_NO_PREALLOC), kFourCpus),
              kHead + 1000 * 128);
}

TEST(OverflowMapSizes, EachIsSixteenTimesTheSizeOfThePreviousUpToTheLimit)
{
    AggregationSchema schema;
    schema.key_size = 8;
    schema.words = 1; // an entry has 24 bytes of data, and the kernel adds 80 bytes
    const auto sizes = [&](uint64_t limit) { return consume::overflow_sizes(schema, limit, BPF_F_NO_PREALLOC); };
    EXPECT_THAT(sizes(104 * 1000), testing::ElementsAre(1000));
    EXPECT_THAT(sizes(104 * (1 << 20)), testing::ElementsAre(1 << 17, 1 << 20));
    EXPECT_THAT(sizes(104 * (1 << 22)), testing::ElementsAre(1 << 17, 1 << 21, 1 << 22));
}

TEST(OverflowMapSizes, TheFirstHas32MegabytesIfTheKernelAllocatesItInAdvance)
{
    AggregationSchema schema;
    schema.key_size = 2000;
    schema.words = 1;
    schema.digested = true; // an entry has 24 + 2008 bytes of data, and the kernel adds 80 bytes
    EXPECT_THAT(consume::overflow_sizes(schema, 64 << 20, 0),
                testing::ElementsAre((32 << 20) / 2112, (64 << 20) / 2112));
}

TEST(MemoryTable, TheLargestPartIsFirst)
{
    const std::vector<output::MemoryPart> parts = {{"buffers", true, 8192, "bufsize"},
                                                   {"names", false, 1234567, "224 MiB"}};
    EXPECT_EQ(output::memory_table(parts), "\n   BYTES AT MOST  MEMORY\n"
                                           "      1,234,567  tracer: names (224 MiB)\n"
                                           "          8,192  kernel: buffers (bufsize)\n"
                                           "      1,242,759  in all: 8,192 in the kernel, 1,234,567 in the tracer\n");
    EXPECT_EQ(output::largest_parts(parts), "names 1,234,567 (224 MiB), buffers 8,192 (bufsize)");
}

/// Calculates the memory of programs that are compiled for fixed kernel data (a frozen kernel).
class MemoryBound : public testing::Test {
protected:
    MemoryBound() { EXPECT_TRUE(session.prepare()); }

    std::vector<output::MemoryPart> parts_of(const std::string& text)
    {
        dt::Trace trace(session, session.options());
        EXPECT_TRUE(trace.add({Source::Kind::Script, "test.d", text}, SpecKind::Script, {}));
        EXPECT_TRUE(trace.compile());
        return trace.memory();
    }
    static uint64_t most(const std::vector<output::MemoryPart>& parts, std::string_view name)
    {
        uint64_t sum = 0;
        for (const output::MemoryPart& part : parts)
            sum += part.name == name ? part.most : 0;
        return sum;
    }

    Session session{Options(), [] { return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0); }};
    const uint64_t cpus = static_cast<uint64_t>(libbpf_num_possible_cpus());
};

TEST_F(MemoryBound, BuffersExistOnlyIfTheProgramRecordsSomething)
{
    const auto records = parts_of("#pragma D option bufsize=100k\ntick-1s { trace(1); }");
    // 100k is rounded up to a power of two, and a header page is added
    EXPECT_EQ(most(records, "buffers"), cpus * (131072 + 4096));
    EXPECT_EQ(most(records, "memory-mapped rings"), 0u) << "a lane would be larger than that";
    // An mmap ring takes 2 MiB for samples, a header, and 16 KiB for a sample that extends beyond the end of the ring.
    EXPECT_EQ(most(parts_of("tick-1s { trace(1); }"), "memory-mapped rings"), cpus * 4096 * (1 + 517));
    const auto unordered = parts_of("#pragma D option temporal=off\ntick-1s { trace(1); }");
    EXPECT_EQ(most(unordered, "memory-mapped rings"), 0u);
}

TEST_F(MemoryBound, AnAggregationWithAnExplicitSizeDoesNotGrow)
{
    if (!session.world().features().hash_no_prealloc)
        GTEST_SKIP() << "hashes have all their elements from the start";
    const auto grows = parts_of("#pragma D option memlimit=1m\nBEGIN { @[pid] = count(); }");
    // By dtrace's estimate, a memlimit of 1 MiB allows 10,082 keys: each takes 8 bytes of key, 8 for the CPU, 8 of
    // value, and 80 of the kernel. The kernel really allocates 48 + 16 + 8 + 8 bytes for an element, rounded up to 96.
    EXPECT_EQ(most(grows, "aggregations that grow"), kHead + 16 * 16384 + 32 * cpus + 10082 * 96);
    EXPECT_EQ(most(grows, "aggregations"),
              kHead + 8 // the outer map, whose elements are overflow maps
                        // an element has 48 + 8 + 8 + 8 bytes, which are rounded up to 96
                  + kHead + 16 * 65536 + 32 * cpus + 65536 * (96 + 8 * cpus + 16));
    EXPECT_EQ(most(grows, "aggregations while they are printed"), (65536 + 10082) * (2 * 16 + 96u));
    const auto fixed = parts_of("#pragma D option aggsize=16k\nBEGIN { @[pid] = count(); }");
    EXPECT_EQ(most(fixed, "aggregations that grow"), 0u);
    EXPECT_EQ(most(fixed, "aggregations while they are printed"), 1024 * (2 * 16 + 96u));
}

TEST_F(MemoryBound, WithUserStacksTheBoundIncludesMemoryForSymbols)
{
    const auto stacks = parts_of("BEGIN { @[ustack()] = count(); }");
    EXPECT_EQ(most(stacks, "names of user addresses"), 224u << 20);
    const auto none = parts_of("BEGIN { @[pid] = count(); }");
    EXPECT_EQ(most(none, "names of user addresses"), 0u);
}

TEST_F(MemoryBound, SizesThatCanGrowAreReducedToFitALimit)
{
    dt::Trace trace(session, session.options());
    ASSERT_TRUE(trace.add({Source::Kind::Script, "test.d", "BEGIN { @[pid] = count(); @b[tid, pid] = count(); }"},
                          SpecKind::Script, {}));
    ASSERT_TRUE(trace.compile());
    const MemoryQuestion question{trace.object(), trace.options(), {2, 4096, 1000}, 1 << 20};
    const uint64_t usual = usual_growth(trace.options());
    const uint64_t all = output::sum(memory_parts(question, usual)).all();
    const uint64_t least = output::sum(memory_parts(question, 0)).all();
    EXPECT_EQ(growth_within(question, all, usual), usual);
    EXPECT_EQ(growth_within(question, least - 1, usual), std::nullopt);
    const uint64_t limit = least + (100 << 20);
    const auto growth = growth_within(question, limit, usual);
    ASSERT_TRUE(growth.has_value());
    EXPECT_LE(output::sum(memory_parts(question, *growth)).all(), limit);
    EXPECT_GT(output::sum(memory_parts(question, *growth + 4096)).all(), limit);
}

} // namespace
} // namespace dt
