// Tests how a thread's published context (OpenTelemetry) is read through the kernel's page tables: four levels, five
// levels with LA57, and three page sizes (docs/decisions/85-user-memory-by-page-tables.md). In this test, helpers
// cannot read the memory.
#include <gmock/gmock.h>

#include "bpf-runtime/processes/thread_context.h"
#include "machine/machine.hpp"
#include "machine/paging.hpp"
#include "test/unit/lower_run.hpp"

namespace dt::test {
namespace {

using testing::ElementsAre;

// start of the kernel's direct map with four and with five levels
constexpr uint64_t kFour = 0xffff'8880'0000'0000, kFive = 0xff11'0000'0000'0000;
constexpr uint64_t kPage = 4096, kPresent = 1, kUser = 4, kLarge = 1 << 7, kSpecial = 1 << 9, kThere = kPresent | kUser;
constexpr const char* kTrace = "00112233445566778899aabbccddeeff";
constexpr const char* kSpan = "0102030405060708";

/// A process with one mapped page. The page contains a variable and the record to which the variable points.
class MappedRecord {
public:
    MappedRecord(uint64_t memory, int tables, uint64_t address)
        : memory_(memory), tables_(tables), address_(address),
          program_("BEGIN { trace(traceid); trace(spanid); }", 2, {}, 1)
    {
        EXPECT_EQ(program_.problem(), "");
        low_.resize(16 * kPage / 8);
        lend(memory, low_);
    }

    /// Adds the page to the page tables. `shift`: number of address bits inside the page. `flags`: flags of the page's
    /// entry in the last table.
    MappedRecord& map(uint32_t shift, uint64_t flags)
    {
        const uint64_t physical = uint64_t{1} << 31, inside = address_ & ((uint64_t{1} << shift) - 1);
        uint64_t table = first_;
        for (int level = tables_; level-- > 0;) {
            const uint32_t of_level = 12 + 9 * static_cast<uint32_t>(level);
            uint64_t& entry = low_[table / 8 + (address_ >> of_level & 511)];
            if (of_level == shift) {
                entry = physical | flags;
                break;
            }
            table = next_ += kPage;
            entry = table | kThere;
        }
        page_.resize(kPage / 8);
        lend(memory_ + physical + (inside & ~(kPage - 1)), page_);
        auto* const at = reinterpret_cast<uint8_t*>(page_.data()) + address_ % kPage;
        const uint64_t record = address_ + 64;
        std::memcpy(at, &record, 8);
        for (int i = 0; i < 16; ++i)
            at[64 + i] = static_cast<uint8_t>(i * 17);
        for (int i = 0; i < 8; ++i)
            at[64 + 16 + i] = static_cast<uint8_t>(i + 1);
        at[64 + 24] = 1;
        return *this;
    }

    std::vector<std::string> fire()
    {
        const uint64_t mm = memory_ + kMm, pgd = memory_ + first_;
        std::memcpy(low_.data() + (kMm + 16) / 8, &pgd, 8);
        task_[32 / 8] = mm;
        task_[112 / 8] = address_ - kOffset;
        lend(kTask, task_);
        program_.vm().environment.task = kTask;
        dt_context_process process{};
        process.mm = mm;
        process.offset = kOffset;
        const uint32_t key = program_.vm().environment.pid, zero = 0;
        auto* const processes = program_.vm().map(DT_MAP_CONTEXT_PROCESSES);
        EXPECT_EQ(processes->update(bytes(key), bytes(process), 0, 0), 0);
        const std::span<uint8_t> contexts = program_.vm().map(DT_MAP_CONTEXTS)->value(bytes(zero));
        std::memcpy(contexts.data() + offsetof(dt_contexts, memory), &memory_, 8);
        const Firing firing = program_.fire("BEGIN");
        EXPECT_EQ(firing.problem, "");
        return firing.values;
    }

private:
    template <typename T> static std::span<const uint8_t> bytes(const T& of)
    {
        return {reinterpret_cast<const uint8_t*>(&of), sizeof of};
    }
    void lend(uint64_t at, std::vector<uint64_t>& words)
    {
        EXPECT_TRUE(program_.vm()
                        .memory()
                        .lend_at(at, {reinterpret_cast<uint8_t*>(words.data()), words.size() * 8}, vm::Kind::Task)
                        .ok());
    }

    static constexpr uint64_t kMm = 0x100, kTask = 0x7000'0000'0000, kOffset = 0x20;
    const uint64_t memory_, first_ = kPage;
    const int tables_;
    const uint64_t address_;
    uint64_t next_ = kPage;
    DProgram program_;
    std::vector<uint64_t> low_, page_, task_ = std::vector<uint64_t>(16);
};

class PageTableWalk : public testing::Test {
protected:
    void SetUp() override
    {
        if (!machine::paging(machine::native()))
            GTEST_SKIP() << "no tables of pages are known of this machine";
    }
    // kHigh is an address that needs five levels of page tables
    static constexpr uint64_t kAddress = 0x7f12'3456'7100, kHigh = 0xaa'7f12'3456'7100;
};

TEST_F(PageTableWalk, PageTablesOfFourLevelsAreWalked)
{
    EXPECT_THAT(MappedRecord(kFour, 4, kAddress).map(12, kThere).fire(), ElementsAre(kTrace, kSpan));
}

TEST_F(PageTableWalk, PageTablesOfFiveLevelsAreWalked)
{
    EXPECT_THAT(MappedRecord(kFive, 5, kAddress).map(12, kThere).fire(), ElementsAre(kTrace, kSpan));
    EXPECT_THAT(MappedRecord(kFive, 5, kHigh).map(12, kThere).fire(), ElementsAre(kTrace, kSpan));
}

TEST_F(PageTableWalk, LargePagesOfBothSizesAreRead)
{
    for (const uint32_t shift : {21, 30}) {
        EXPECT_THAT(MappedRecord(kFour, 4, kAddress).map(shift, kThere | kLarge).fire(), ElementsAre(kTrace, kSpan));
        EXPECT_THAT(MappedRecord(kFive, 5, kHigh).map(shift, kThere | kLarge).fire(), ElementsAre(kTrace, kSpan));
    }
}

TEST_F(PageTableWalk, PagesThatAreNotPlainUserPagesAreLeftToAHelper)
{
    for (const uint64_t flags : {uint64_t{0}, kPresent, kUser, kThere | kSpecial}) {
        EXPECT_THAT(MappedRecord(kFour, 4, kAddress).map(12, flags).fire(), ElementsAre("", "")) << flags;
        EXPECT_THAT(MappedRecord(kFive, 5, kHigh).map(12, flags).fire(), ElementsAre("", "")) << flags;
    }
}

TEST_F(PageTableWalk, FiveLevelTablesAreNotMistakenForFourLevels)
{
    EXPECT_THAT(MappedRecord(kFour, 5, kHigh).map(12, kThere).fire(), ElementsAre("", ""));
}

} // namespace
} // namespace dt::test
