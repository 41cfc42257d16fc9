// Tests --estimate, which predicts the cost of a script: programs that count firings in advance, modelled costs of a
// firing, and the printed table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libdtrace/estimate/estimate.hpp"
#include "libdtrace/results/estimate_report.hpp"
#include "libdtrace/trace/trace.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

/// Compiles programs for fixed kernel data (a frozen kernel).
class EstimateProgram : public testing::Test {
protected:
    EstimateProgram() { EXPECT_TRUE(session.prepare()); }

    dt::Trace& compiled(const std::string& text)
    {
        trace.emplace(session, session.options());
        EXPECT_TRUE(trace->add({Source::Kind::Script, "test.d", text}, SpecKind::Script, {}));
        EXPECT_TRUE(trace->compile());
        return *trace;
    }
    std::string counting(const std::string& text)
    {
        return counting_program(compiled(text).compiler().program().statements);
    }

    Session session{Options(), [] { return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0); }};
    std::optional<dt::Trace> trace;
};

TEST_F(EstimateProgram, ClausesForCountingKeepPredicatesButLoseActions)
{
    EXPECT_EQ(counting("profile-97 /pid == 12 && (execname != \"a/b\")/ { trace(1); }"),
              ":::profile-97 /pid == 12 && (execname != \"a/b\")/ { 1; }\n");
    EXPECT_EQ(counting("profile-97 /!(pid == 12)/ { trace(1); }"), ":::profile-97 /!(pid == 12)/ { 1; }\n");
    EXPECT_EQ(counting("profile-97 { trace(1); } BEGIN { x = 1; } END { } ERROR { }"), ":::profile-97 { 1; }\n");
}

TEST_F(EstimateProgram, PredicatesThatReadVariablesOfTheProgramAreDropped)
{
    const char* const text = "int n; profile-97 { self->a = 1; } profile-97 /self->a/ { } profile-97 /n && pid/ { }";
    EXPECT_EQ(counting(text), ":::profile-97 { 1; }\n:::profile-97 { 1; }\n:::profile-97 { 1; }\n");
    const auto& statements = trace->compiler().program().statements;
    EXPECT_FALSE(has_other_predicate(statements[0]));
    EXPECT_TRUE(has_other_predicate(statements[1]));
    EXPECT_TRUE(has_other_predicate(statements[2]));
    EXPECT_EQ(counting("profile-97 /n++ < 10/ { } int n;"), ":::profile-97 { 1; }\n");
}

TEST_F(EstimateProgram, AnAdditionalHelperCallAddsItsCost)
{
    const auto time = [&](const std::string& text, const InstructionCosts& costs) {
        const Schema& schema = compiled(text).object().schema;
        ProgramCostModel model(trace->object(), costs, false);
        return model.time_of_program(schema.programs.front().name);
    };
    const InstructionCosts cheap{0, 1000, 0, {{BPF_FUNC_get_current_pid_tgid, 10}}},
        dear{0, 1000, 0, {{BPF_FUNC_get_current_pid_tgid, 110}}};
    const char* const asks = "profile-97 { n = pid; }";
    EXPECT_EQ(time(asks, dear), time(asks, cheap) + 100);
    EXPECT_EQ(time("profile-97 { n++; }", dear), time("profile-97 { n++; }", cheap));
    const InstructionCosts only_instructions{1, 0, 0, {}};
    EXPECT_GT(time("profile-97 { n++; m = n; }", only_instructions), time("profile-97 { n++; }", only_instructions));
}

TEST(EstimateTable, TheSharesOfProbesAddUpToTheTotal)
{
    output::Estimate estimate;
    estimate.probes = {{10, "syscall::read:entry", 10000, 0.5, 300, 200},
                       {11, "syscall::write:entry", 1000, 1, 100, 400}};
    estimate.all = estimate.counted = 2;
    estimate.seconds = 1;
    estimate.cpus = 2;
    estimate.samples = 5000;
    estimate.sample_bytes = 1 << 20;
    const std::string text = output::estimate_table(estimate);
    EXPECT_THAT(text, HasSubstr("      10,000    50 %    300.0    200.0       0.500  syscall::read:entry\n"));
    EXPECT_THAT(text, HasSubstr("\nexpected: 0.550 % of a CPU, 0.275 % of the machine\n"));
    EXPECT_THAT(text, HasSubstr("\nrecords: 5,000 a second, 1.0 MB; printing them takes about 0.1 % of a CPU\n"));
    EXPECT_THAT(text, HasSubstr("\nprobes: 2, of which 2 fired in 1.0 s; "));
}

TEST(EstimateNumbers, AreTheValuesOfTheTableInSmallerUnits)
{
    output::Estimate estimate;
    estimate.probes = {{10, "syscall::read:entry", 10000, 0.5, 300, 200}};
    estimate.all = 30;
    estimate.counted = 10;
    estimate.cpus = 2;
    estimate.attaching = 0.5;
    const output::NamedNumbers of_probe = named_numbers(estimate.probes[0]), of_all = named_numbers(estimate);
    EXPECT_THAT(of_probe, Contains(Pair("passed_permille", 500U)));
    EXPECT_THAT(of_probe, Contains(Pair("outside_ps", 200'000U)));
    EXPECT_THAT(of_probe, Contains(Pair("cpu_ppm", 5'000U)));
    // 10 of 30 probes were counted, so the measured sum is multiplied by three
    EXPECT_THAT(of_all, Contains(Pair("cpu_ppm", 15'000U)));
    EXPECT_THAT(of_all, Contains(Pair("machine_ppm", 7'500U)));
    EXPECT_THAT(of_all, Contains(Pair("attaching_ns", 1'500'000'000U)));
}

TEST(EstimateTable, CountsOfAFewProbesAreExtrapolatedToAllProbes)
{
    output::Estimate estimate;
    estimate.probes = {{10, "fbt:vmlinux:vfs_read:entry", 1000, 1, 500, std::nullopt}};
    estimate.all = 1000;
    estimate.counted = 100;
    estimate.attaching = 0.7;
    estimate.knows_all_outside = false;
    estimate.has_other_predicates = true;
    const std::string text = output::estimate_table(estimate);
    EXPECT_THAT(text, HasSubstr("        -       0.050  fbt:vmlinux:vfs_read:entry\n"));
    EXPECT_THAT(text,
                HasSubstr("\nexpected: 0.500 % of a CPU, 0.500 % of the machine (upper bound: some predicates cannot "
                          "be evaluated in advance and count as true), without the cost outside of the programs\n"));
    EXPECT_THAT(text, HasSubstr("attached in 7000 ms\n"));
    EXPECT_THAT(text, HasSubstr("\nonly 100 of them, chosen at random, were counted, "));
    EXPECT_THAT(text, HasSubstr("totals are their sums times 10.0\n"));
}

} // namespace
} // namespace dt
