// Tests elements of associative arrays: what assignments to them do, and how many instructions an assignment takes.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using dt::test::run_d;
using testing::ElementsAre;

std::size_t code_of_stores_and_loads(int count)
{
    std::string text = "int a[int]; BEGIN {";
    for (int i = 0; i < count; ++i)
        text += " a[" + std::to_string(i) + "] = a[" + std::to_string(i + 1) + "] + 1;";
    DProgram program(text + " }");
    EXPECT_EQ(program.problem(), "");
    return program.vm().image().code.size();
}

TEST(ArrayElements, AStoreAndALoadTakeFewInstructions)
{
    EXPECT_LE(code_of_stores_and_loads(20) - code_of_stores_and_loads(10), 10u * 31);
}

TEST(ArrayElements, AnExistingNumberIsChangedInPlace)
{
    EXPECT_THAT(
        run_d("int a[int]; BEGIN { a[1] = 5; a[1] = -6; a[2] = 7; trace(a[1]); trace(a[2]); a[1] += 10; trace(a[1]); }")
            .values,
        ElementsAre("-6", "7", "4"));
}

TEST(ArrayElements, AssigningAComputedZeroDeletesTheElement)
{
    DProgram program(
        "char a[int]; int zero; BEGIN { a[1] = 5; a[2] = zero; a[1] = zero; trace(a[1]); a[1] = 256; trace(a[1]); }");
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("0", "0"));
    EXPECT_EQ(program.vm().map("arr_0")->keys().size(), 0u);
}

TEST(ArrayElements, AKeyIsConvertedToTheTypeOfTheArraysKey)
{
    EXPECT_THAT(
        run_d("int a[char]; char k; BEGIN { k = -1; a[k] = 5; trace(a[-1]); k = 127; trace(a[k + 128]); }").values,
        ElementsAre("5", "5"));
}

// -x sharedvars stores elements in the memory of global variables.

TEST(SharedArrayElements, ZeroMeansAnAbsentElementForAnyKey)
{
    EXPECT_THAT(
        run_d("#pragma D option sharedvars=a\nchar a[int64_t]; BEGIN { a[-1] = 5; a[0] = -6; a[1] = 3; a[1] = 0; "
              "trace(a[-1]); trace(a[0]); trace(a[1]); trace(a[7]); a[0] += 16; trace(a[0]); }")
            .values,
        ElementsAre("5", "-6", "0", "0", "10"));
}

TEST(SharedArrayElements, ThreadLocalVariablesAreStoredByThreadId)
{
    DProgram program("#pragma D option sharedvars=self\nBEGIN { self->a++; self->b = self->a * 2; trace(self->b); }");
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("2"));
    program.vm().environment.tid++;
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("2"));
    program.vm().environment.tid--;
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("4"));
    EXPECT_EQ(program.vm().map(DT_MAP_SELF), nullptr);
}

TEST(SharedArrayElements, ElementsThatDoNotFitAreDroppedAndCounted)
{
    DProgram program("#pragma D option sharedvars=a\n#pragma D option dynvarsize=64\nint64_t a[int]; int n; "
                     "BEGIN { a[n] = n + 1; trace(a[n]); n++; }");
    std::vector<std::string> values;
    for (int i = 0; i < 6; ++i)
        // if the element cannot be added, no fault occurs
        values.push_back(program.fire("BEGIN").values.at(0));
    // the map has 64 bytes, so it has room for only four elements
    EXPECT_THAT(values, ElementsAre("1", "2", "3", "4", "0", "0"));
    uint64_t dropped = 0;
    const uint32_t cpu = 0;
    const auto losses = program.vm().map(DT_MAP_LOSSES)->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu});
    std::memcpy(&dropped, losses.data() + offsetof(dt_losses, dynamic), sizeof dropped);
    EXPECT_EQ(dropped, 2u);
}

} // namespace
