// Tests the rule by which a function's parameter is found among the probe arguments. The rules come from System V ABI
// for AMD64 3.2.3, i386 supplement, Go's ABIInternal, and Procedure Call Standard for the Arm 64-bit Architecture 6.8
// and 6.9.
#include "libdtrace/types/file_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dt {
namespace {

using Calls = probes::ProcessView::Calls;

class CallingConvention : public testing::Test {
protected:
    const Type* record(std::vector<const Type*> members)
    {
        Type* made = table.make(TypeKind::Struct, "r");
        std::vector<Member> placed;
        for (const Type* member : members) {
            placed.push_back({"m", member, made->size * 8, 0});
            made->size += member->size;
        }
        made->complete = [placed](std::vector<Member>& into, std::vector<Enumerator>&) { into = placed; };
        return made;
    }

    /// Returns for each parameter the number of the probe argument that has its value, or "-" if no probe argument has
    /// it.
    std::string words(Calls calls, const std::vector<const Type*>& parameters, const Type* result = nullptr,
                      bool is_rust = false)
    {
        std::string text;
        for (const Passed& passed : passed_parameters(calls, is_rust, result, parameters, *of))
            text += (text.empty() ? "" : " ") + (passed.refusal.empty() ? std::to_string(passed.word) : "-");
        return text;
    }

    std::string result_of(const Type* result) { return passed_result(Calls::C, result, *of).refusal; }

    const machine::Machine* of = machine::named("x86_64");
    TypeTable table;
    const Type* number = table.named("int");
    const Type* word = table.named("long");
    const Type* real = table.named("double");
    const Type* pair = record({word, word});
    const Type* reals = record({real, real});
    const Type* large = record({word, word, word});
};

TEST_F(CallingConvention, InCTheFirstSixWordsAreInRegistersAndTheOthersOnTheStack)
{
    EXPECT_EQ(words(Calls::C, {number, word, number, word, number, word, number, word}), "0 1 2 3 4 5 6 7");
    EXPECT_EQ(words(Calls::C, {number, real, number}), "0 - 1");
    EXPECT_EQ(words(Calls::C, {pair, number}), "0 2");
    EXPECT_EQ(words(Calls::C, {reals, number}), "- 0");
    EXPECT_EQ(words(Calls::C, {large, number}), "6 0");
    // A structure is never split between registers and stack.
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, pair, number}), "0 1 2 3 4 6 5");
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, word, large, number}), "0 1 2 3 4 5 6 9");
}

TEST_F(CallingConvention, TheAddressForALargeResultIsPassedAsTheFirstWord)
{
    EXPECT_EQ(words(Calls::C, {number}, large), "1");
    EXPECT_EQ(words(Calls::C, {number}, pair), "0");
    EXPECT_EQ(words(Calls::C32, {number}, pair), "1");
}

TEST_F(CallingConvention, RustPassesLargeValuesByAddress)
{
    EXPECT_EQ(words(Calls::C, {large, number}, nullptr, true), "0 1");
    EXPECT_EQ(passed_parameters(Calls::C, true, nullptr, {large}, *of).front().form, StructureForm::Address);
}

TEST_F(CallingConvention, RustPassesTwoNumbersInTwoWords)
{
    const Type* const small = record({number, number});
    EXPECT_EQ(words(Calls::C, {small, number}, nullptr, true), "0 2");
    EXPECT_EQ(words(Calls::C, {small, number}), "0 1");
    EXPECT_EQ(passed_parameters(Calls::C, true, nullptr, {small}, *of).front().form, StructureForm::Numbers);
    EXPECT_EQ(words(Calls::C, {record({number}), number}, nullptr, true), "0 1");
    EXPECT_EQ(words(Calls::C, {record({number, real}), number}, nullptr, true), "- 1");
    // The second number of the structure is on the stack.
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, small, number}, nullptr, true), "0 1 2 3 4 5 7");
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, word, number, small}, nullptr, true), "0 1 2 3 4 5 6 7");
    EXPECT_EQ(passed_in(Calls::C, small, {5, 4}, *of).form, StructureForm::Numbers);
}

TEST_F(CallingConvention, RustPassesOtherSmallStructuresAsTheirBytes)
{
    const Type* const shorts = record({table.named("short"), table.named("short"), table.named("short")});
    EXPECT_EQ(words(Calls::C, {shorts, number}, nullptr, true), "0 1");
    EXPECT_EQ(words(Calls::C, {record({table.array_of(number, 2)}), number}, nullptr, true), "0 1");
    EXPECT_EQ(words(Calls::C, {record({table.array_of(number, 4)}), number}, nullptr, true), "0 2");
    EXPECT_EQ(passed_parameters(Calls::C, true, nullptr, {shorts}, *of).front().form, StructureForm::Bytes);
}

TEST_F(CallingConvention, WordsOfThirtyTwoBitProgramsAreOnTheStack)
{
    EXPECT_EQ(words(Calls::C32, {number, real, number, pair, number}), "0 1 3 4 8");
}

TEST_F(CallingConvention, FloatingPointArgumentsOnTheStackCanBeRead)
{
    EXPECT_EQ(words(Calls::C, std::vector<const Type*>(9, real)), "- - - - - - - - 6");
    const Type* const longest = table.named("long double"); // a long double has 16 bytes and is aligned to 16 bytes
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, word, number, longest, number}), "0 1 2 3 4 5 6 8 10");
    EXPECT_EQ(words(Calls::C, {word, word, word, word, word, word, number, record({longest}), number}),
              "0 1 2 3 4 5 6 8 10");
    EXPECT_EQ(words(Calls::C, std::vector<const Type*>(10, longest)), "6 8 10 12 14 16 18 20 22 -");
    EXPECT_EQ(words(Calls::GoOnStack, {word, real, word}), "0 1 2");
}

TEST_F(CallingConvention, TheReasonForAnUnreadableParameterNamesItsRegister)
{
    const auto refusal = [&](Calls calls, const std::vector<const Type*>& parameters) {
        return passed_parameters(calls, false, nullptr, parameters, *of).back().refusal;
    };
    EXPECT_THAT(refusal(Calls::C, {number, real, real}),
                testing::StartsWith("a floating-point number in xmm1, which the kernel does not pass to probes: "));
    EXPECT_THAT(refusal(Calls::C, {real, reals}),
                testing::StartsWith("a structure passed by value in xmm1 to xmm2, which"));
    EXPECT_THAT(refusal(Calls::C, {number, record({word, real})}),
                testing::StartsWith("a structure passed by value, whose parts are arg1 and xmm0, which"));
    EXPECT_THAT(refusal(Calls::Go, {real, real}), testing::StartsWith("a floating-point number in xmm1, which"));
    EXPECT_THAT(passed_in(Calls::C, real, {19}, *of).refusal,
                testing::StartsWith("a floating-point number in xmm2, which"));
    EXPECT_THAT(result_of(real), testing::StartsWith("a floating-point number in xmm0, which"));
    EXPECT_THAT(result_of(table.named("long double")), testing::HasSubstr("does not pass to probes"));
}

TEST_F(CallingConvention, GoPassesEachMemberOfAStructureInARegister)
{
    EXPECT_EQ(words(Calls::Go, {number, pair, real, number}), "0 1 - 3");
    EXPECT_EQ(words(Calls::Go, {large, large, large, number}), "0 3 6 -");
    EXPECT_EQ(words(Calls::Go, {table.array_of(word, 2), number}), "- 0");
}

TEST_F(CallingConvention, ArgumentsAfterAnArgumentOfUnknownTypeCannotBeRead)
{
    EXPECT_EQ(words(Calls::C, {number, nullptr, number}), "0 - -");
}

TEST_F(CallingConvention, ResultsOfOneWordCanBeReadAtTheReturn)
{
    EXPECT_EQ(result_of(number), "");
    EXPECT_EQ(passed_result(Calls::C, number, *of).word, 1);
    EXPECT_THAT(result_of(real), testing::HasSubstr("floating-point"));
    EXPECT_EQ(result_of(large), "");
    EXPECT_EQ(passed_result(Calls::C, large, *of).form, StructureForm::Address);
}

TEST_F(CallingConvention, LocationsFromDebugInformationReplaceTheConvention)
{
    // DWARF's register number 4 is rsi, which holds the second argument in C
    EXPECT_EQ(passed_in(Calls::C, word, {4}, *of).word, 1);
    // DWARF's register number 3 is rbx, which holds the second argument in Go
    EXPECT_EQ(passed_in(Calls::Go, word, {3}, *of).word, 1);
    EXPECT_NE(passed_in(Calls::C, word, {3}, *of).refusal, "");
    EXPECT_EQ(passed_in(Calls::C, pair, {5, 4}, *of).refusal, "");
    EXPECT_EQ(passed_in(Calls::C, pair, {4, 5}, *of).refusal,
              "a structure passed by value, whose parts are arg1, arg0");
}

class Arm64Convention : public CallingConvention {
protected:
    Arm64Convention() { of = machine::named("aarch64"); }

    const Type* four = record({real, real, real, real});
    const Type* packed = record({number, real}); // the double is not aligned to its size
};

TEST_F(Arm64Convention, TheFirstEightWordsAreInRegistersAndTheOthersOnTheStack)
{
    EXPECT_EQ(words(Calls::C, std::vector<const Type*>(10, word)), "0 1 2 3 4 5 6 7 8 9");
    EXPECT_EQ(words(Calls::C, {pair, number}), "0 2");
    EXPECT_EQ(words(Calls::C, {large, number}), "0 1") << "its address";
    EXPECT_EQ(words(Calls::C, {four, number}), "- 0") << "in registers for floating-point numbers";
}

TEST_F(Arm64Convention, TheAddressForALargeResultUsesNoArgumentRegister)
{
    EXPECT_EQ(words(Calls::C, {number}, large), "0");
    EXPECT_EQ(result_of(large), "a structure, whose address is in uregs[R_X8] at the function's entry");
}

TEST_F(Arm64Convention, ResultsAreInRegistersRegardlessOfTheirAlignment)
{
    EXPECT_EQ(result_of(number), "");
    EXPECT_EQ(result_of(pair), "a structure passed by value, of which arg1 is the first word");
    EXPECT_EQ(result_of(packed), "a structure passed by value, of which arg1 is the first word");
    EXPECT_THAT(result_of(four), testing::StartsWith("a structure passed by value in v0 to v3, which"));
    EXPECT_THAT(result_of(table.named("long double")), testing::StartsWith("a floating-point number in v0, which"));
}

} // namespace
} // namespace dt
