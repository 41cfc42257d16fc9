// Tests how the variables at several instructions of a probe are merged.
#include <gmock/gmock.h>

#include "probes/user/pid_search.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using Instruction = PidVariables::Instruction;

/// A process in which `number` is in memory at 0x10 and in a register at 0x20. `inner` is visible only at 0x10, `gone`
/// is optimized away at 0x20, and the second half of `both` is optimized away at 0x20.
class TwoCopies final : public test::FrozenProcesses {
public:
    Variables variables(const std::string&, uint64_t offset, const std::string& name) override
    {
        ++queries;
        if (offset != 0x10 && offset != 0x20)
            return {{}, "unknown code"};
        const bool is_first = offset == 0x10;
        const auto type = [](TypeTable& types) { return types.named("long"); };
        const VariableLocation memory{{{0, 8, true, {Kind::Register, 19}}}, {}},
            in_register{{{0, 8, false, {Kind::Register, 5}}}, {}};
        Variables all;
        all.found = {{"number", type, {}, true, is_first ? memory : in_register},
                     {"gone", type, is_first ? "" : "it is lost", false, is_first ? memory : VariableLocation{}},
                     {"both", type, {}, false, is_first ? memory : VariableLocation{in_register.pieces, {{4, 8}}}}};
        if (is_first)
            all.found.push_back({"inner", type, {}, false, memory});
        if (!name.empty())
            std::erase_if(all.found, [&](const Variable& each) { return each.name != name; });
        return all;
    }

    int queries = 0;
};

class PidVariablesTest : public testing::Test {
protected:
    class Kernel final : public test::FrozenKernel {
    public:
        ProcessView& processes() override { return copies; }
        TwoCopies copies;
    };

    static ProbeVariable only(const ProbeVariables& variables)
    {
        EXPECT_EQ(variables.found.size(), 1u);
        return variables.found.empty() ? ProbeVariable{} : variables.found.front();
    }

    Kernel kernel;
    PidVariables variables{kernel};
    const Instruction first{"file", {}, 0x10}, second{"file", {}, 0x20}, other{"file", {}, 0x30};
};

TEST_F(PidVariablesTest, AVariableIsInMemoryOnlyIfItIsAtAllInstructions)
{
    EXPECT_TRUE(only(variables.find({first}, "number")).is_in_memory);
    const ProbeVariable both = only(variables.find({first, second}, "number"));
    EXPECT_FALSE(both.is_in_memory);
    EXPECT_TRUE(both.refusal.empty());
    EXPECT_TRUE(both.is_parameter);
    EXPECT_EQ(both.types.size(), 2u);
}

TEST_F(PidVariablesTest, AVariableThatIsLostAtOneInstructionIsRefused)
{
    EXPECT_EQ(only(variables.find({first}, "gone")).refusal, "");
    EXPECT_EQ(only(variables.find({first, second}, "gone")).refusal, "in one of the 2 copies, it is lost");
    EXPECT_EQ(only(variables.find({first, second}, "inner")).refusal, "it is not visible in one of the 2 copies");
}

TEST_F(PidVariablesTest, AListHasTheVariablesOfAllInstructions)
{
    std::vector<std::string> names;
    for (const ProbeVariable& each : variables.find({first, second}, "").found)
        names.push_back(each.name);
    EXPECT_THAT(names, testing::ElementsAre("number", "gone", "both"));
}

TEST_F(PidVariablesTest, LostPartsAreThoseOfEachInstruction)
{
    EXPECT_TRUE(only(variables.find({first}, "both")).lost.empty());
    EXPECT_THAT(only(variables.find({first, second}, "both")).lost, testing::ElementsAre(ByteRange{4, 8}));
}

TEST_F(PidVariablesTest, AnInstructionWithoutDebugInformationIsAProblem)
{
    EXPECT_EQ(variables.find({first, other}, "number").problem, "unknown code");
}

TEST_F(PidVariablesTest, LocationsDifferBetweenInstructions)
{
    const auto here = variables.locations(first, {"number", "gone"}),
               there = variables.locations(second, {"number", "gone"});
    EXPECT_EQ(here.size(), 2u);
    EXPECT_EQ(there.size(), 1u);
    EXPECT_NE(here.at("number"), there.at("number"));
}

TEST_F(PidVariablesTest, AnInstructionIsQueriedOnceForEachName)
{
    variables.find({first, second}, "number");
    variables.locations(first, {"number"});
    variables.locations(second, {"number"});
    EXPECT_EQ(kernel.copies.queries, 2);
}

} // namespace
} // namespace dt::probes
