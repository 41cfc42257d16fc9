// Tests the slots that compiled updates of tseries() write, at times that the tests choose.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "test/unit/lower_run.hpp"

namespace {

constexpr int64_t kToWall = 5'000; // CLOCK_REALTIME minus CLOCK_MONOTONIC

using Slot = std::vector<int64_t>;

/// Runs a program that adds arg0 to a tseries() with intervals of 1 us.
class Series {
public:
    Series(const std::string& function, std::size_t count, const std::string& target = "@[1]")
        : count_(count), program_("syscall::read:entry { " + target + " = tseries((int64_t)arg0, 1us, " +
                                  std::to_string(count) + ", \"" + function + "\"); }")
    {
        EXPECT_EQ(program_.problem(), "");
        std::memcpy(program_.vm().section(DT_SECTION_STATE).data() + offsetof(dt_state, boot_to_wall_ns), &kToWall,
                    sizeof kToWall);
    }

    /// Adds a value at a time in ns since 1970.
    void add(int64_t time, int64_t value)
    {
        program_.vm().environment.time = static_cast<uint64_t>(time - kToWall);
        program_.vm().environment.registers[14] = static_cast<uint64_t>(value); // register rdi holds arg0
        program_.fire("sys_enter", {0, 0});
    }

    std::vector<Slot> slots()
    {
        const dt::AggregationSchema& schema = program_.schema().aggregations.at(0);
        dt::vm::Map* const map = program_.vm().map(schema.map);
        const uint32_t cpu = 0;
        const auto bytes = schema.key_size != 0
                               ? map->value(map->keys().at(0))
                               : map->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu}).subspan(8);
        std::vector<Slot> slots(count_, Slot(schema.words / count_));
        for (std::size_t i = 0; i < count_; ++i)
            std::memcpy(slots[i].data(), bytes.data() + i * slots[i].size() * 8, slots[i].size() * 8);
        return slots;
    }

private:
    std::size_t count_;
    dt::test::DProgram program_;
};

TEST(TimeSeriesSlots, EachIntervalHasASlotWithItsNumberPlusOneAtBothEnds)
{
    Series series("sum", 3);
    series.add(7'000, 10); // first ns of interval 7
    series.add(7'999, -4); // last ns of interval 7
    series.add(8'000, 1);
    EXPECT_EQ(series.slots(), (std::vector<Slot>{{0, 0, 0}, {8, 6, 8}, {9, 1, 9}}));
}

TEST(TimeSeriesSlots, ANewIntervalReplacesTheOneThatIsOlderByTheNumberOfSlots)
{
    Series series("sum", 3);
    for (const int64_t interval : {7, 8, 9, 10})
        series.add(interval * 1'000, interval);
    EXPECT_EQ(series.slots(), (std::vector<Slot>{{10, 9, 10}, {11, 10, 11}, {9, 8, 9}}));
    series.add(40'500, 1); // intervals without values do not clear their slots
    EXPECT_EQ(series.slots(), (std::vector<Slot>{{10, 9, 10}, {41, 1, 41}, {9, 8, 9}}));
}

TEST(TimeSeriesSlots, EachFunctionStoresTheWordsOfTheFunctionAlone)
{
    const struct {
        const char* function;
        std::vector<int64_t> words; // of the values 3, -2 and 9
    } cases[] = {{"count", {3}},
                 {"sum", {10}},
                 {"avg", {3, 10, 0}},
                 {"min", {static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) + 2)}},
                 {"max", {static_cast<int64_t>(9 + (uint64_t{1} << 63))}}};
    for (const auto& each : cases) {
        Series series(each.function, 1);
        series.add(6'000, 100); // the next interval replaces this value
        for (const int64_t value : {3, -2, 9})
            series.add(7'500, value);
        Slot slot = each.words;
        slot.insert(slot.begin(), 8);
        slot.push_back(8);
        EXPECT_EQ(series.slots(), std::vector<Slot>{slot}) << each.function;
    }
}

TEST(TimeSeriesSlots, ASumOfAveragesCarriesIntoItsUpperWord)
{
    Series series("avg", 1);
    for (int i = 0; i < 2; ++i)
        series.add(7'000, INT64_MAX);
    EXPECT_EQ(series.slots(), (std::vector<Slot>{{8, 2, -2, 1, 8}}));
}

TEST(TimeSeriesSlots, AnAggregationWithoutKeysHasTheSameSlots)
{
    Series series("count", 2, "@");
    series.add(7'000, 1);
    series.add(8'000, 1);
    series.add(8'001, 1);
    EXPECT_EQ(series.slots(), (std::vector<Slot>{{9, 2, 9}, {8, 1, 8}}));
}

} // namespace
