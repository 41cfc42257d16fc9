// Tests how probes are distributed to programs, with and without attach cookies.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

const std::string kTwoFunctions = "pid4343:shop:main:entry { trace(1); } pid4343:shop:helper:entry { trace(2); }";

TEST(Groups, OneProgramServesSeveralFunctionsByTheirCookies)
{
    DProgram program(kTwoFunctions);
    ASSERT_EQ(program.problem(), "");
    ASSERT_EQ(program.schema().programs.size(), 1u);
    EXPECT_EQ(program.schema().programs[0].plan->targets.size(), 2u);
    EXPECT_TRUE(program.schema().programs[0].plan->selector);
}

TEST(Groups, WithoutCookiesEachFunctionHasAProgramOfItsOwn)
{
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried.attach_cookie = false;
    DProgram program(kTwoFunctions, 2, {}, 0, std::move(world));
    ASSERT_EQ(program.problem(), "");
    ASSERT_EQ(program.schema().programs.size(), 2u);
    for (const ProgramPlan& each : program.schema().programs) {
        EXPECT_EQ(each.probes.size(), 1u);
        EXPECT_FALSE(each.plan->selector);
        ASSERT_EQ(each.plan->targets.size(), 1u);
        EXPECT_EQ(each.plan->targets[0].cookie, 0u);
        EXPECT_EQ(each.plan->targets[0].probe, each.plan->probes[0].probe);
    }
}

} // namespace
} // namespace dt
