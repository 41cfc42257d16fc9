// Tests that unused memory is unmapped or freed, and that it can be used again afterwards.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "base/shared_memory.hpp"
#include "base/time.hpp"
#include "libdtrace/records/speculation.hpp"

using namespace dt;

TEST(SharedMemory, ConcurrentWritesSurviveARemappingAtTheSameAddress)
{
    const int file = memfd_create("shared", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, 4096), 0);
    std::vector<SharedMemory> all(1);
    ASSERT_TRUE(all.front().open(file, 100));
    auto* const word = static_cast<uint32_t*>(all.front().memory());
    *word = 1;
    all.front().hide();
    all.front().hide();
    const uint32_t written = 2;
    ASSERT_EQ(pwrite(file, &written, sizeof written, 0), static_cast<ssize_t>(sizeof written));
    {
        const Shown shown(all);
        ASSERT_TRUE(shown);
        EXPECT_EQ(all.front().memory(), word);
        EXPECT_EQ(*word, 2u);
    }
    EXPECT_DEATH(*static_cast<volatile uint32_t*>(word) = 3, "");
    ASSERT_TRUE(all.front().show());
    EXPECT_EQ(*word, 2u);
    close(file);
}

TEST(EndedSpeculations, LateRecordsAreRecognizedUntilTheSpeculationIsForgotten)
{
    using Verdict = consume::Speculations::Verdict;
    consume::Speculations speculations(1 << 10);
    const auto late = [&](uint32_t serial) {
        consume::Sample sample;
        sample.spec = serial;
        return speculations.take(sample);
    };
    speculations.end(1, true);
    speculations.end(2, false);
    EXPECT_EQ(late(1), Verdict::Print);
    EXPECT_EQ(late(2), Verdict::Thrown);
    EXPECT_EQ(late(3), Verdict::Kept);
    for (uint32_t serial = 4; serial < 60'000; ++serial)
        speculations.end(serial, true);
    EXPECT_EQ(late(1), Verdict::Print);
    speculations.end(100'000, false);
    EXPECT_EQ(late(1), Verdict::Kept) << "given up, and counted, when nobody ends it";
    EXPECT_EQ(late(59'999), Verdict::Print);
    EXPECT_EQ(late(60'000), Verdict::Kept);
    EXPECT_EQ(late(100'000), Verdict::Thrown);
    for (const uint32_t later : {UINT32_MAX / 3, UINT32_MAX / 3 * 2, UINT32_MAX})
        speculations.end(later, true);
    speculations.end(1, true); // ends speculation 1: serial numbers start again at 1 after UINT32_MAX
    EXPECT_EQ(late(UINT32_MAX), Verdict::Print);
    EXPECT_EQ(late(100'000), Verdict::Kept);
}
