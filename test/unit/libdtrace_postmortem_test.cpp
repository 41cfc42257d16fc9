// Tests finding the last records in a perf buffer of a crash dump, and the refusal of invalid dumps.
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/postmortem/dumped_kernel.hpp"
#include "libdtrace/postmortem/postmortem.hpp"
#include "test/support/temporary_folder.hpp"

namespace dt::postmortem {
namespace {

// size of the perf buffer in bytes; number of bytes in a record before the sample's data
constexpr uint64_t kRing = 1024, kHeadSize = 36;

/// A perf buffer with records as the kernel writes them.
struct Ring {
    std::vector<uint8_t> data = std::vector<uint8_t>(kRing, 0);
    RingPositions at;
    uint64_t time = 1000;

    void put(const void* from, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i)
            data[at.reserved++ % kRing] = static_cast<const uint8_t*>(from)[i];
        at.head = at.reserved;
    }
    void sample(uint32_t bytes, uint32_t statement = 0, uint8_t fill = 0xee)
    {
        std::vector<uint8_t> record((kHeadSize + bytes + 7) / 8 * 8, fill);
        const perf_event_header header{PERF_RECORD_SAMPLE, 0, static_cast<uint16_t>(record.size())};
        const auto raw = static_cast<uint32_t>(record.size() - 20);
        const dt_sample head{bytes + static_cast<uint32_t>(sizeof(dt_sample)), 0, 1, statement};
        time += 10;
        std::memcpy(record.data(), &header, sizeof header);
        std::memcpy(record.data() + 8, &time, sizeof time);
        std::memcpy(record.data() + 16, &raw, sizeof raw);
        std::memcpy(record.data() + 20, &head, sizeof head);
        put(record.data(), record.size());
    }
    LastRecords found(uint32_t statements = 1) const { return find_last_records(data, at, statements); }
};

TEST(LastRecords, BothReadAndUnreadRecordsAreFound)
{
    Ring ring;
    EXPECT_EQ(ring.found().waiting, 0u);
    ring.sample(12);
    ring.sample(20);
    ring.at.tail = ring.at.head;
    const uint64_t lost[3] = {PERF_RECORD_LOST | uint64_t{24} << 48, 1, 5};
    ring.put(lost, sizeof lost);
    ring.sample(4);
    const LastRecords found = ring.found();
    EXPECT_EQ(found.first, 0u);
    EXPECT_EQ(found.former, 2u);
    EXPECT_EQ(found.waiting, 1u);
    EXPECT_FALSE(found.is_torn);
}

TEST(LastRecords, AllOldRecordsThatTheBufferStillContainsAreFound)
{
    Ring ring;
    for (uint32_t i = 0; i < 500; ++i) {
        ring.sample(12 + i % 5 * 8);
        ring.at.tail = ring.at.head;
        const LastRecords found = ring.found();
        // At least 11 records are found, because no record takes more than 80 bytes.
        EXPECT_GE(found.former, std::min<uint64_t>(i + 1, 11));
        EXPECT_LE(ring.at.head - found.first, kRing);
    }
}

TEST(LastRecords, DataThatLooksLikeARecordIsIgnored)
{
    Ring ring;
    for (int i = 0; i < 100; ++i) {
        Ring inner;
        // the sample contains bytes that look like a record; this false record would end where the next record begins
        inner.time = ring.time - 10;
        inner.sample(4);
        ring.sample(100);
        const uint64_t behind = (ring.at.head - 40) % kRing;
        if (behind + 40 <= kRing)
            std::memcpy(ring.data.data() + behind, inner.data.data(), 40);
        ring.at.tail = ring.at.head;
        EXPECT_GE(ring.found().former, std::min(i + 1u, 7u));
        // The oldest record is partly overwritten. It may be found or not.
        EXPECT_LE(ring.found().former, std::min(i + 1u, 8u)) << i;
    }
}

TEST(LastRecords, UnfinishedAndMissingRecordsAreSkipped)
{
    Ring ring;
    ring.sample(12);
    ring.sample(12);
    ring.at.reserved += 48; // simulates that the kernel is writing a third record
    LastRecords found = ring.found();
    EXPECT_TRUE(found.is_torn);
    EXPECT_EQ(found.waiting, 2u);
    std::memset(ring.data.data(), 0, 8); // simulates that a page of the buffer is missing in the dump
    found = ring.found();
    EXPECT_EQ(found.first, 48u);
    EXPECT_EQ(found.waiting, 1u);
    std::memset(ring.data.data(), 0xff, kRing);
    EXPECT_EQ(ring.found().waiting, 0u);
    EXPECT_EQ(ring.found(0).first, ring.at.head);
}

TEST(LastRecords, ImpossibleBufferPositionsAreRefused)
{
    Ring ring;
    ring.sample(12);
    for (const RingPositions at :
         {RingPositions{48, 56, 48}, {48, 0, 40}, {44, 0, 44}, {48, 0, 48 + 4096}, {UINT64_MAX - 7, 0, UINT64_MAX - 7}})
        EXPECT_EQ(find_last_records(ring.data, at, 1).waiting, 0u);
    EXPECT_EQ(find_last_records({}, {48, 0, 48}, 1).waiting, 0u);
    EXPECT_EQ(find_last_records(std::span(ring.data).first(1000), {48, 0, 48}, 1).waiting, 0u);
}

TEST(KernelDump, InvalidFilesAreRefused)
{
    const test::TemporaryFolder folder;
    const auto error_of = [&](const std::string& bytes) {
        std::ofstream(folder.path() + "/dump", std::ios::trunc) << bytes;
        const auto dump = open_kernel_dump(folder.path() + "/dump");
        return dump ? std::string() : dump.error().message;
    };
    if (error_of("").starts_with("reading a dump needs libkdumpfile"))
        GTEST_SKIP();
    EXPECT_TRUE(error_of("").starts_with("it is not a kernel dump")) << error_of("");
    EXPECT_TRUE(error_of(std::string(100000, 'x')).starts_with("it is not a kernel dump"));
    EXPECT_FALSE(error_of(std::string("\x7f"
                                      "ELF\x02\x01\x01",
                                      7) +
                          std::string(57, '\xff'))
                     .empty());
    EXPECT_EQ(open_kernel_dump(folder.path() + "/none").error().message, "No such file or directory");
}

/// A dump that contains only ELF notes and no memory.
struct NotesAlone final : KernelDump {
    std::map<std::string, uint64_t> notes;
    bool read(uint64_t, std::span<uint8_t>) override { return false; }
    uint64_t noted_symbol(const char* name) override { return notes[name]; }
    uint64_t page_size() const override { return 4096; }
};

TEST(KernelDump, MissingDataIsReported)
{
    NotesAlone dump;
    EXPECT_TRUE(DumpedKernel::read(dump).error().message.starts_with("it has no vmcoreinfo note"));
    dump.notes["_stext"] = 0x1000;
    EXPECT_TRUE(DumpedKernel::read(dump).error().message.starts_with("its kernel does not record"));
    for (const char* name :
         {"kallsyms_names", "kallsyms_num_syms", "kallsyms_token_table", "kallsyms_token_index", "kallsyms_offsets"})
        dump.notes[name] = 0x2000;
    EXPECT_EQ(DumpedKernel::read(dump).error().message, "the symbols of its kernel are not in the dump");
}

} // namespace
} // namespace dt::postmortem
