// Tests the table of built-in names against the code that uses it: semantic analysis, lowering, consumer and manual.
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "dcompiler/driver/libraries.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "libdtrace/records/actions.hpp"
#include "test/support/manual.hpp"

namespace dt::test {
namespace {

TEST(Builtins, EachHasAnImplementationOrStatesWhyItIsAbsent)
{
    for (const BuiltinVariable& each : builtin_variables())
        EXPECT_NE(lower::hook(each), nullptr) << each.name;
    for (const Subroutine& each : subroutines())
        EXPECT_TRUE(each.why_refused.empty() ? lower::hook(each) != nullptr : each.check == nullptr) << each.name;
    for (const Action& each : actions())
        EXPECT_TRUE(each.why_refused.empty() ? lower::hook(each) != nullptr : each.check == nullptr) << each.name;
}

TEST(Builtins, IndexesAreUniqueAndWithoutGaps)
{
    std::set<uint32_t> variables, calls, acts;
    for (const BuiltinVariable& each : builtin_variables())
        EXPECT_TRUE(variables.insert(each.index).second) << each.name;
    for (const Subroutine& each : subroutines())
        EXPECT_TRUE(!each.why_refused.empty() || calls.insert(each.index).second) << each.name;
    for (const Action& each : actions())
        EXPECT_TRUE(!each.why_refused.empty() || acts.insert(each.index).second) << each.name;
    EXPECT_EQ(*variables.rbegin() + 1, variables.size());
    EXPECT_EQ(*calls.rbegin() + 1, calls.size());
    EXPECT_EQ(*acts.rbegin() + 1, acts.size());
}

TEST(Builtins, EachRecordingActionIsPrintedByTheConsumer)
{
    // Actions that need no handler in the consumer, because they act in the kernel or on the whole trace.
    const auto is_over = [](const Action& action) {
        return !action.has(kRecords) || action.has(kDestructive) || action.has(kExits) || action.has(kSpeculates);
    };
    for (const Action& each : actions())
        EXPECT_TRUE(!each.why_refused.empty() || is_over(each) || consume::handler(each).run) << each.name;
    EXPECT_EQ(consume::handler(*find_action("raise")).run, nullptr);
    EXPECT_TRUE(consume::handler(*find_action("discard")).ends_speculation);
    EXPECT_EQ(consume::handler(*find_action("pcap")).data, 4u);
}

TEST(Builtins, FlagsDescribeWhatTheNameOfABuiltinMeans)
{
    EXPECT_TRUE(find_action("ustack")->has(kOfProcess) && find_action("ustack")->has(kStack));
    EXPECT_TRUE(find_action("umod")->has(kModuleOnly) && !find_action("usym")->has(kModuleOnly));
    EXPECT_TRUE(find_subroutine("copyin")->has(kGivesScratch) && !find_subroutine("copyinstr")->has(kGivesScratch));
    EXPECT_TRUE(find_variable("uregs")->is_array() && !find_variable("arg0")->is_array());
}

TEST(Builtins, TheManualHasAnEntryForEachName)
{
    const auto expect = [](const char* page, const auto& table) {
        const std::set<std::string> words = bold_words(manual_text(page));
        for (const auto& each : table)
            EXPECT_TRUE(each.name.front() == '_' || words.count(std::string(each.name))) << page << ": " << each.name;
    };
    expect("dtrace-variables.7", builtin_variables());
    expect("dtrace-actions.7", subroutines());
    expect("dtrace-actions.7", actions());
    expect("dtrace-aggregations.7", agg_functions());
}

TEST(Builtins, TheManualHasAnEntryForEachNameOfTheLibrary)
{
    const std::set<std::string> variables = bold_words(manual_text("dtrace-variables.7"));
    for (const char* name :
         {"chip", "cpu", "curlwpsinfo", "curpsinfo", "cwd", "fds", "lgrp", "nspid", "nstid", "pset", "root"}) {
        EXPECT_NE(sema::find_library_file(name), nullptr) << name;
        EXPECT_TRUE(variables.count(name)) << name;
    }
}

} // namespace
} // namespace dt::test
