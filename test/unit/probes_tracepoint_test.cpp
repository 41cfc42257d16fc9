// Tests the providers of tracepoints (sdt and rawtp), and how they read tracefs.
#include <gmock/gmock.h>

#include "probes/kernel/trace_events.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using Shape = TraceField::Shape;

std::vector<std::string> names(const std::vector<TraceEvent>& events)
{
    std::vector<std::string> names;
    for (const TraceEvent& event : events)
        names.push_back(event.group + ":" + event.name);
    return names;
}

std::vector<std::string> matching(Provider& provider, const ProbePattern& pattern)
{
    TestSink sink;
    EXPECT_TRUE(provider.match(pattern, sink));
    std::vector<std::string> names;
    for (const Probe& probe : sink.probes)
        names.push_back(probe.full_name() + " " + std::to_string(probe.place));
    return names;
}

TEST(TraceEvents, SystemCallsAndDynamicEventsAreExcluded)
{
    const auto events = read_trace_events("sched:sched_switch\nsyscalls:sys_enter_read\nmine:probe\nsched:"
                                          "extra\nkprobes:p_vfs_read\nuprobes:x\nirq:irq_entry",
                                          "p:mine/probe vfs_read\ns:sched/extra int x\n");
    EXPECT_THAT(names(events), testing::ElementsAre("sched:sched_switch", "irq:irq_entry"));
    EXPECT_TRUE(read_trace_events("", "").empty());
}

TEST(TraceEvents, FieldsAreDescribedByTypeOffsetAndShape)
{
    const auto one = [](const std::string& text) { return read_trace_format("\tfield:" + text + "\n").at(0); };
    EXPECT_EQ(one("pid_t pid;\toffset:24;\tsize:4;\tsigned:1;"),
              (TraceField{"pid_t", "pid", 24, 4, true, Shape::Scalar}));
    EXPECT_EQ(one("const char * name;\toffset:8;\tsize:8;\tsigned:0;"),
              (TraceField{"const char *", "name", 8, 8, false, Shape::Scalar}));
    EXPECT_EQ(one("char type[8];\toffset:28;\tsize:8;\tsigned:0;"),
              (TraceField{"char", "type", 28, 8, false, Shape::Bytes}));
    EXPECT_EQ(one("struct in6_addr to;\toffset:8;\tsize:16;\tsigned:0;"),
              (TraceField{"struct in6_addr", "to", 8, 16, false, Shape::Bytes}));
    EXPECT_EQ(one("__data_loc char[] file;\toffset:8;\tsize:4;\tsigned:0;"),
              (TraceField{"char", "file", 8, 4, false, Shape::Located}));
    EXPECT_EQ(one("__rel_loc char[] file;\toffset:8;\tsize:4;\tsigned:0;"),
              (TraceField{"char", "file", 8, 4, false, Shape::LocatedRelative}));
    EXPECT_TRUE(
        read_trace_format("\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"field:%d\", REC->x\n")
            .empty());
}

TEST(SdtProvider, HasAProbeForEachEventId)
{
    test::FrozenKernel kernel;
    const auto sdt = make_sdt_provider(kernel);
    EXPECT_THAT(matching(*sdt, {"sdt", "", "", ""}),
                testing::ElementsAre("sdt:sched::sched_exit 20", "sdt:sched::sched_fork 21", "sdt:irq::irq_entry 7"));
    EXPECT_THAT(matching(*sdt, {"sdt", "s*", "", "*fork"}), testing::ElementsAre("sdt:sched::sched_fork 21"));
    EXPECT_TRUE(matching(*sdt, {"sdt", "sched", "f", "sched_fork"}).empty());
    EXPECT_TRUE(matching(*sdt, {"sdt", "", "", "tick-1s"}).empty());
}

TEST(SdtProvider, ArgumentsAreTheFieldsOfTheEvent)
{
    test::FrozenKernel kernel;
    const auto sdt = make_sdt_provider(kernel);
    const auto plan = plan_of(*sdt, {"sdt", "sched", "", "sched_exit"});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->kind, ProgramKind::Tracepoint);
    EXPECT_EQ(plan->targets.at(0).where, "20");
    EXPECT_EQ(plan->arguments[0], (Location{Kind::DataLoc, 0, 8}));
    EXPECT_EQ(plan->arguments[1], (Location{Kind::ContextAddress, 0, 12}));
    EXPECT_EQ(plan->arguments[2], (Location{Kind::ContextField, 0, 28, 4, true}));
    EXPECT_EQ(plan->arguments[3], Location{});

    TestSink sink;
    ASSERT_TRUE(sdt->match({"sdt", "sched", "", "sched_exit"}, sink));
    const ProbeSignature signature = sdt->signature(sink.probes.front());
    TypeTable table;
    std::vector<std::string> types;
    for (const ProbeArgument& argument : signature.arguments)
        types.push_back(to_string(argument.type(table)));
    EXPECT_THAT(types, testing::ElementsAre("string", "char [16]", "pid_t"));
}

TEST(RawtpProvider, HasTheProbesOfSdtButNoArgumentsIfTypesAreMissing)
{
    test::FrozenKernel kernel;
    const auto rawtp = make_rawtp_provider(kernel);
    EXPECT_THAT(matching(*rawtp, {"rawtp", "sched", "", ""}),
                testing::ElementsAre("rawtp:sched::sched_exit 20", "rawtp:sched::sched_fork 21"));
    const auto plan = plan_of(*rawtp, {"rawtp", "", "", "irq_entry"});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->kind, ProgramKind::RawTracepoint);
    EXPECT_EQ(plan->targets.at(0).where, "irq_entry");
    EXPECT_EQ(plan->arguments[0], Location{});
}

} // namespace
} // namespace dt::probes
