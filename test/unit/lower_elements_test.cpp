// Elements of associative arrays: what a store means, and how many instructions a program has for it.
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

TEST(Elements, AStoreAndALoadTakeFewInstructions)
{
    EXPECT_LE(code_of_stores_and_loads(20) - code_of_stores_and_loads(10), 10u * 31);
}

TEST(Elements, ANumberThatIsThereIsChangedInPlace)
{
    EXPECT_THAT(
        run_d("int a[int]; BEGIN { a[1] = 5; a[1] = -6; a[2] = 7; trace(a[1]); trace(a[2]); a[1] += 10; trace(a[1]); }")
            .values,
        ElementsAre("-6", "7", "4"));
}

TEST(Elements, AComputedZeroDeletes)
{
    DProgram program(
        "char a[int]; int zero; BEGIN { a[1] = 5; a[2] = zero; a[1] = zero; trace(a[1]); a[1] = 256; trace(a[1]); }");
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("0", "0"));
    EXPECT_EQ(program.vm().map("arr_0")->keys().size(), 0u);
}

TEST(Elements, NegativeKeysOfOneWidthAreTheSame)
{
    EXPECT_THAT(
        run_d("int a[char]; char k; BEGIN { k = -1; a[k] = 5; trace(a[-1]); k = 127; trace(a[k + 128]); }").values,
        ElementsAre("5", "5"));
}

} // namespace
