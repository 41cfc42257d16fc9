// Tests completion in the interactive shell, with fixed kernel data (a frozen kernel).
#include "cmd/shell/complete.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "test/support/frozen_kernel.hpp"

namespace dt::shell {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ShellCompletion : public testing::Test {
protected:
    ShellCompletion()
    {
        std::filesystem::create_directories(proc_);
        std::ofstream(proc_ + "/modules").flush();
    }
    ~ShellCompletion() override { std::filesystem::remove_all(proc_); }

    Options options() const
    {
        Options options;
        options.put("procfspath", proc_);
        options.put("quiet");
        return options;
    }

    std::vector<std::string> names(std::string_view text)
    {
        std::vector<std::string> names;
        for (const Candidate& candidate : complete(workbench, text).candidates)
            names.push_back(candidate.name);
        return names;
    }

    char behind(std::string_view text) { return complete(workbench, text).candidates.at(0).behind; }

    const std::string proc_ = testing::TempDir() + "dt_complete_" + std::to_string(getpid()) + "_" +
                              std::to_string(reinterpret_cast<uintptr_t>(this));
    const cmd::Arguments arguments;
    Output output;
    Workbench workbench{arguments, options(), output,
                        [] { return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0); }};
};

TEST_F(ShellCompletion, ADescriptionIsCompletedPartByPart)
{
    EXPECT_THAT(names("sysc"), ElementsAre("syscall"));
    EXPECT_EQ(behind("sysc"), ':');
    EXPECT_THAT(names("syscall:vm"), ElementsAre("vmlinux"));
    EXPECT_THAT(names("syscall::opena"), ElementsAre("openat", "openat2"));
    EXPECT_THAT(names("syscall::openat:"), ElementsAre("entry", "return"));
    EXPECT_EQ(behind("syscall::openat:en"), ' ');
    EXPECT_THAT(names("syscall::openat:entry:"), IsEmpty());
}

TEST_F(ShellCompletion, AProbeNameIsCompletedEvenIfTheOtherPartsAreMissing)
{
    EXPECT_THAT(names("BEG"), ElementsAre("BEGIN"));
    EXPECT_THAT(names("BEGIN, EN"), ElementsAre("END"));
}

TEST_F(ShellCompletion, TheFirstWordMayBeACommand)
{
    EXPECT_THAT(names("he"), ElementsAre("help"));
    EXPECT_EQ(behind("opt"), ' ');
    EXPECT_THAT(names("syscall:::entry, he"), IsEmpty());
    EXPECT_THAT(names("list syscall::opena"), ElementsAre("openat", "openat2"));
    EXPECT_THAT(names("option aggsortk"), ElementsAre("aggsortkey", "aggsortkeypos"));
    EXPECT_THAT(names("help predi"), ElementsAre("predicates"));
    EXPECT_TRUE(complete(workbench, "load /et").is_file);
}

TEST_F(ShellCompletion, NamesOfTheLanguageAreCompleted)
{
    EXPECT_THAT(names("BEGIN { walltime"), ElementsAre("walltimestamp"));
    EXPECT_THAT(names("BEGIN { @ = llq"), ElementsAre("llquantize"));
    EXPECT_THAT(names("BEGIN { copyins"), ElementsAre("copyinstr"));
    EXPECT_EQ(behind("BEGIN { copyins"), '(');
    EXPECT_THAT(names("BEGIN /curps"), ElementsAre("curpsinfo"));
    EXPECT_THAT(names("BEGIN { trace(\"copyins"), IsEmpty());
    EXPECT_THAT(names("BEGIN { /* copyins"), IsEmpty());
    EXPECT_THAT(names("BEGIN { n = 1"), IsEmpty());
}

TEST_F(ShellCompletion, OptionsAreCompletedInPragmas)
{
    EXPECT_THAT(names("#pragma D option flowi"), ElementsAre("flowindent"));
    EXPECT_THAT(names("#pragma D flowi"), IsEmpty());
}

TEST_F(ShellCompletion, NamesDefinedByTheProgramAreCompleted)
{
    ASSERT_TRUE(workbench.add({"BEGIN { calls = 1; self->begun = 1; @callers[pid] = count(); }"}));
    EXPECT_THAT(names("END { trace(cal"), ElementsAre("caller", "calls"));
    EXPECT_THAT(names("END { printa(@c"), ElementsAre("callers"));
    EXPECT_THAT(names("END { trace(self->"), ElementsAre("begun"));
}

TEST_F(ShellCompletion, MembersOfStructuresAreCompleted)
{
    ASSERT_TRUE(workbench.add({"struct point { int left; int low; int high; struct point *next; };"}));
    EXPECT_THAT(names("BEGIN { this->p = (struct point *)0; trace(this->p->l"), ElementsAre("left", "low"));
    EXPECT_THAT(names("BEGIN /((struct point *)arg0)->next->n"), ElementsAre("next"));
    EXPECT_THAT(names("BEGIN { this->p = (struct point *)0; if (this->p) { trace(this->p[2].hi"), ElementsAre("high"));
    EXPECT_THAT(names("BEGIN { trace(nosuch->"), IsEmpty());
    EXPECT_THAT(names("BEGIN { trace(pid."), IsEmpty());
}

} // namespace
} // namespace dt::shell
