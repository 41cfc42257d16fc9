// Tests several traces of one session: which state they share, and which state each of them has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "libdtrace/trace/trace.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

/// A session with fixed kernel data (a frozen kernel), and with test files instead of /proc.
class SessionRuns : public testing::Test {
protected:
    SessionRuns()
    {
        std::filesystem::create_directories(proc_);
        load_modules("ext4 1146880 1 - Live 0xffffffffc0a5b000\n");
    }
    ~SessionRuns() override { std::filesystem::remove_all(proc_); }

    void load_modules(const char* text) { std::ofstream(proc_ + "/modules") << text; }

    Options options() const
    {
        Options options;
        options.put("procfspath", proc_);
        return options;
    }

    static bool add(dt::Trace& trace, const std::string& text)
    {
        return trace.add({Source::Kind::Script, "test.d", text}, SpecKind::Script, {});
    }

    const std::string proc_ = testing::TempDir() + "dt_runs_" + std::to_string(getpid()) + "_" +
                              std::to_string(reinterpret_cast<uintptr_t>(this));
    int worlds = 0;
    Session session{options(), [this] {
                        ++worlds;
                        return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0);
                    }};
};

TEST_F(SessionRuns, PragmasSetTheOptionsOfTheirOwnRun)
{
    ASSERT_TRUE(session.prepare());
    dt::Trace first(session, session.options());
    ASSERT_TRUE(add(first, "#pragma D option quiet\n#pragma D option strsize=64\nBEGIN { trace(execname); }"));
    EXPECT_TRUE(first.options().print().quiet);
    EXPECT_FALSE(session.options().print().quiet);
    dt::Trace second(session, session.options());
    ASSERT_TRUE(add(second, "BEGIN { trace(execname); }"));
    EXPECT_FALSE(second.options().print().quiet);
    EXPECT_EQ(second.options().compile().strsize, 256u);
    EXPECT_EQ(second.compiler().program().types->string()->size, 257u);
}

TEST_F(SessionRuns, VariablesAndTypesOfOneRunAreUnknownToTheNext)
{
    ASSERT_TRUE(session.prepare());
    {
        dt::Trace first(session, session.options());
        ASSERT_TRUE(add(first, "struct pair { int a; int b; }; string s; BEGIN { s = \"x\"; }"));
        ASSERT_TRUE(first.compile());
    }
    dt::Trace second(session, session.options());
    EXPECT_TRUE(add(second, "struct pair { long c; }; int s; BEGIN { s = sizeof(struct pair); }"));
    EXPECT_TRUE(second.compile());
}

TEST_F(SessionRuns, ProbeIdsStayTheSameInLaterRuns)
{
    ASSERT_TRUE(session.prepare());
    const Probe* met = nullptr;
    {
        dt::Trace first(session, session.options());
        ASSERT_TRUE(add(first, "profile-123 { }"));
        met = first.compiler().program().statements.front().probes.front();
    }
    session.world().probes().refuse(ProgramKind::KprobeMulti);
    ASSERT_TRUE(session.prepare());
    dt::Trace second(session, session.options());
    ASSERT_TRUE(add(second, "profile-123 { }"));
    EXPECT_EQ(second.compiler().program().statements.front().probes.front(), met);
    EXPECT_EQ(worlds, 1);
}

TEST_F(SessionRuns, AChangeOfModuleUseCountsDoesNotReloadKernelData)
{
    ASSERT_TRUE(session.prepare());
    load_modules("ext4 1146880 7 - Live 0xffffffffc0a5b000\n");
    ASSERT_TRUE(session.prepare());
    EXPECT_EQ(worlds, 1);
}

TEST_F(SessionRuns, LoadingAModuleReloadsKernelData)
{
    ASSERT_TRUE(session.prepare());
    dt::Trace first(session, session.options());
    // The module gets another address, as if it was unloaded and loaded again.
    load_modules("ext4 1146880 1 - Live 0xffffffffc0b00000\n");
    ASSERT_TRUE(session.prepare());
    EXPECT_EQ(worlds, 2);
    // the earlier trace still uses the kernel data that was read at its start
    EXPECT_TRUE(add(first, "BEGIN { exit(0); }"));
    EXPECT_TRUE(first.compile());
    ASSERT_TRUE(session.prepare());
    EXPECT_EQ(worlds, 2);
}

} // namespace
} // namespace dt
