// Tests the parts of a tracing session that need no kernel: reading the verifier's log, naming the probes that a BPF
// program serves, sharing kernel data between sessions, and the preprocessor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/kernel_abi.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/load/verifier_log.hpp"
#include "libdtrace/session/live_world.hpp"
#include "libdtrace/session/program_file.hpp"
#include "libdtrace/session/session.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(VerifierLog, TheLastSourceCommentIsTheLocationAndTheLastLineTheReason)
{
    const Refusal refusal = read_verifier_log("func#0 @0\n0: R1=ctx() R10=fp0\n"
                                              "; BEGIN { x = 1; @ prog.d:1\n0: (b7) r1 = 1\n"
                                              "; trace(*p); @ prog.d:7\n1: (79) r2 = *(u64 *)(r1 +0)\n"
                                              "R1 invalid mem access 'scalar'\n"
                                              "processed 2 insns (limit 1000000) max_states_per_insn 0\n",
                                              {});
    EXPECT_EQ(refusal.file, "prog.d");
    EXPECT_EQ(refusal.line, 7u);
    EXPECT_EQ(refusal.text, "trace(*p);");
    EXPECT_EQ(refusal.reason, "R1 invalid mem access 'scalar'");
}

TEST(VerifierLog, LinesWithoutLineNumbersAreFoundByTheirText)
{
    const Source source{Source::Kind::Script, "prog.d", "BEGIN\n{\n\ttrace(*p);\n}\n"};
    const Source* const sources[] = {&source};
    const Refusal refusal = read_verifier_log("; trace(*p);\n1: (79) r2 = *(u64 *)(r1 +0)\nR1 bad\n", sources);
    EXPECT_EQ(refusal.line, 3u);
    EXPECT_EQ(describe(refusal),
              "\n\tat line 3: trace(*p);\n\tthe kernel's verifier says: R1 bad (its whole log: -x bpflog)");
}

TEST(VerifierLog, ALineOfTextThatOccursTwiceHasNoNumber)
{
    const Source source{Source::Kind::Script, "prog.d", "a();\na();\n"};
    const Source* const sources[] = {&source};
    EXPECT_EQ(read_verifier_log("; a();\nbad\n", sources).line, 0u);
}

TEST(VerifierLog, AnEmptyLogGivesNoReason)
{
    EXPECT_EQ(describe(read_verifier_log("", {})), "");
}

TEST(VerifierLog, AWriteThatTheKernelDoesNotAllowIsNamed)
{
    const Refusal write = read_verifier_log("unknown func bpf_probe_write_user#36\n", {});
    EXPECT_TRUE(refuses_writes(write));
    EXPECT_FALSE(refuses_reads(write));
    EXPECT_NE(describe_refused_write(write).find("copyoutstr"), std::string::npos);
    EXPECT_FALSE(refuses_writes(read_verifier_log("unknown func bpf_probe_read#4\n", {})));
}

TEST(VerifierLog, AReadRefusedOnALockedKernelIsExplainedByLockdown)
{
    const Refusal read = read_verifier_log("; trace(*p); @ prog.d:7\nunknown func bpf_probe_read#4\n", {});
    EXPECT_TRUE(refuses_reads(read));
    EXPECT_THAT(describe_locked_down(read),
                testing::StartsWith("this kernel is locked down (lockdown=confidentiality) and lets no program read "
                                    "the kernel's memory\n\tat prog.d:7: trace(*p);\n\t"));
    EXPECT_FALSE(refuses_reads(read_verifier_log("unknown func bpf_loop#181\n", {})));
}

TEST(Lockdown, TheErrorStatesTheReasonOfTheKernelBeforeTheBootParameters)
{
    EXPECT_TRUE(is_locked_down("none integrity [confidentiality]\n", ""));
    EXPECT_FALSE(is_locked_down("none [integrity] confidentiality\n", "lockdown=confidentiality"));
    EXPECT_TRUE(is_locked_down("", "root=/dev/sda1 lockdown=confidentiality quiet"));
    EXPECT_FALSE(is_locked_down("", "root=/dev/sda1 nolockdown=confidentiality"));
    EXPECT_FALSE(is_locked_down("", "lockdown=confidentiality lockdown=integrity")) << "the last one counts";
}

TEST(ServedProbes, ComponentsInWhichTheProbesDifferArePrintedAsStars)
{
    LiveWorld world(std::make_unique<test::FrozenKernel>(), 0);
    EXPECT_EQ(served_probes({"p", nullptr, {1}}, world.probes()), "dtrace:::BEGIN");
    EXPECT_EQ(served_probes({"p", nullptr, {1, 2}}, world.probes()), "dtrace:::*");
}

TEST(SharedSession, RunsShareKernelInformationButNotSymbols)
{
    Session first({}, [] { return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0); });
    ASSERT_TRUE(first.prepare());
    Session second({}, first);
    ASSERT_TRUE(second.prepare());
    EXPECT_EQ(&first.world(), &second.world());
    EXPECT_NE(&first.system_context()->symbols(), &second.system_context()->symbols());
    EXPECT_NE(&first.processes(), &second.processes());
}

TEST(Preprocessor, ArgumentsComeInTheDocumentedOrder)
{
    Options options;
    options.put("define", "A=1");
    options.put("undef", "B");
    options.put("incdir", "/inc");
    options.put("cpphdrs");
    options.put("cppargs", "-P");
    const auto arguments = preprocessor_arguments(options);
    EXPECT_EQ(arguments.front(), "-D__linux");
    EXPECT_THAT(arguments, Contains("-D__Linux"));
    const std::vector<std::string> tail(arguments.end() - 7, arguments.end());
    EXPECT_EQ(tail, (std::vector<std::string>{"-DA=1", "-UB", "-I/inc", "-H", "-P", "-D__SUNW_D_VERSION=0x02000000",
                                              "-std=c99"}));
}

TEST(Preprocessor, ReplacesMacrosAndDropsTheInterpreterLine)
{
    Options options;
    options.put("define", "N=42");
    const auto text = preprocess("#!/usr/sbin/dtrace -Cs\nBEGIN { exit(N); }\n", options);
    ASSERT_TRUE(text);
    EXPECT_THAT(text.value(), HasSubstr("BEGIN { exit(42); }"));
    EXPECT_THAT(text.value(), testing::Not(HasSubstr("#!")));
}

TEST(Preprocessor, EachFailureHasItsOwnMessage)
{
    Options options;
    options.put("cpppath", "/nonexistent/cpp");
    EXPECT_EQ(preprocess("x", options).error().message, "Preprocessor not found");
    options.put("cpppath", "/etc/passwd");
    EXPECT_EQ(preprocess("x", options).error().message, "Failed to exec preprocessor");
    options.put("cpppath", "false");
    EXPECT_EQ(preprocess("x", options).error().message, "Preprocessor failed to process input program");
}

} // namespace
} // namespace dt
