// Tests how the rows of the tables for proc, sched and similar providers become probes (dtrace-providers(7), proc and
// sched).
#include "machine/machine.hpp"
#include "probes/stable/stable.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

/// Type information with two tracepoints. In it, task_struct.pid is at byte 100, tgid at 104, and any other member at
/// 200.
class Offsets final : public KernelTypes {
public:
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view) override
    {
        if (space != TypeNamespace::Enum || name != "skb_drop_reason")
            return nullptr;
        Type* const reasons = table.make(TypeKind::Enum, std::string(name));
        reasons->complete = [](std::vector<Member>&, std::vector<Enumerator>& names) {
            names = {{"SKB_CONSUMED", 1}, {"SKB_DROP_REASON_NO_SOCKET", 3}};
        };
        return reasons;
    }
    std::vector<std::string> modules() override { return {}; }
    std::optional<uint32_t> function_id(std::string_view, std::string_view) override { return functions; }
    std::optional<Prototype> prototype(std::string_view, std::string_view name) override
    {
        return name == "bpf_session_cookie" ? session_word : std::nullopt;
    }
    void for_each_function(std::string_view, const VisitFunction&) override {}
    const Type* tracepoint_type(TypeTable&, std::string_view, std::string_view) override { return nullptr; }
    std::optional<Prototype> tracepoint_prototype(std::string_view name, std::string_view) override
    {
        if (name == "tcp_send_reset" || name == "kfree_skb" || name == "sched_process_exit")
            return parameters != 0 ? std::optional(Prototype{parameters, false, true}) : std::nullopt;
        if (name.starts_with("contention_"))
            return contended ? std::optional(Prototype{2, false, true}) : std::nullopt;
        return name == "inet_sock_set_state" || name == "hrtimer_expire_entry" ? std::optional(Prototype{})
                                                                               : std::nullopt;
    }
    std::optional<uint32_t> tracepoint_id(std::string_view, std::string_view) override { return std::nullopt; }
    void for_each_tracepoint(std::string_view, const VisitFunction&) override {}
    std::optional<MemberLocation> member(std::string_view, std::string_view, std::string_view path) override
    {
        if (path == lacking)
            return std::nullopt;
        return MemberLocation{(path == "pid" ? 100u : path == "tgid" ? 104u : 200u) * 8, 4, 0};
    }

    std::optional<Prototype> session_word = {};
    std::optional<uint32_t> functions = {}; ///< type id that every function has; nullopt: the kernel has no functions
    std::string lacking;                    ///< name of a member that this kernel lacks in all structures
    /// number of arguments of the tracepoints that only some kernels have; 0: this kernel lacks them
    uint32_t parameters = 0;
    bool contended = true; ///< whether the kernel has tracepoints of contended locks
};

class KernelOfHooks final : public test::FrozenKernel {
public:
    explicit KernelOfHooks(bool has_kprobes = true) : has_kprobes_(has_kprobes) {}
    KernelTypes* types() override { return &types_; }
    bool has_kprobes() override { return has_kprobes_; }
    void lack(std::string member) { types_.lacking = std::move(member); }
    void have_functions() { types_.functions = 1; }
    void lack_contention() { types_.contended = false; }
    void tell_reasons(uint32_t parameters) { types_.parameters = parameters; }
    void keep_words_of_calls(uint32_t parameters = 0)
    {
        types_.session_word = KernelTypes::Prototype{parameters, true, true};
    }

private:
    Offsets types_;
    bool has_kprobes_;
};

std::unique_ptr<Provider> provider(std::string_view name, KernelOfHooks& kernel)
{
    for (auto& each : make_stable_providers(kernel))
        if (each->name() == name)
            return std::move(each);
    return nullptr;
}

std::unique_ptr<Provider> named(std::string_view name)
{
    static KernelOfHooks kernel;
    return provider(name, kernel);
}

std::unique_ptr<Provider> proc()
{
    return named("proc");
}

TEST(StableProvider, NoTableHasMoreRowsThanIds)
{
    for (const auto* rows : {&stable::proc_rows(), &stable::sched_rows(), &stable::ip_rows(), &stable::tcp_rows(),
                             &stable::udp_rows(), &stable::io_rows(), &stable::lockstat_rows(), &stable::vminfo_rows(),
                             &stable::sysinfo_rows(), &stable::sdt_rows(), &stable::fsinfo_rows(), &stable::mib_rows(),
                             &stable::nfsv3_rows(), &stable::nfsv4_rows(), &stable::list_rows()})
        EXPECT_LE(rows->size(), stable::kMaxRows);
}

TEST(StableProvider, AModuleNameOfAnotherSystemMatchesThisKernel)
{
    const auto io = named("io");
    const auto found = [&](const Provider& provider, const char* module) {
        TestSink sink;
        EXPECT_TRUE(const_cast<Provider&>(provider).match(provider.canonical({"", module, "", ""}), sink));
        return sink.probes.size();
    };
    EXPECT_EQ(found(*proc(), "genunix"), stable::proc_rows().size());
    EXPECT_EQ(found(*proc(), "nosuch"), 0u);
    EXPECT_EQ(found(*proc(), "nfs"), 0u);
    EXPECT_EQ(found(*io, ""), 4u) << "all of it, once";
    EXPECT_EQ(found(*io, "genunix"), 4u);
    EXPECT_EQ(found(*io, "nfs"), 2u);
    TestSink sink;
    ASSERT_TRUE(io->match({"io", "nfs", "", "start"}, sink));
    for (const auto& plan : io->plan({&sink.probes.at(0)}, {}, {}))
        EXPECT_TRUE(plan->targets.at(0).where.starts_with("nfs_initiate_")) << plan->targets.at(0).where;
}

TEST(StableProvider, AMemberThatTheKernelLacksIsNamedInTheError)
{
    KernelOfHooks kernel;
    // Probes of io read this member at the start of an NFS request, and res.count at its end.
    kernel.lack("args.count");
    const auto io = provider("io", kernel);
    TestSink sink;
    ASSERT_TRUE(io->match({"io", "nfs", "", ""}, sink));
    ASSERT_EQ(sink.probes.size(), 2u);
    for (const Probe& probe : sink.probes) {
        const bool begins = probe.name == "start";
        for (const ProbeArgument& argument : io->signature(probe).arguments)
            EXPECT_EQ(argument.refusal, begins ? "this kernel has no member args.count of struct nfs_pgio_header" : "");
        EXPECT_EQ(io->plan({&probe}, {}, {}).at(0)->arguments[5].size == 0, begins) << "has no size: is refused";
    }
}

TEST(StableProvider, OffsetsOfMembersAreThoseOfTheKernel)
{
    const auto plan = plan_of(*proc(), {"proc", "", "", "lwp-start"});
    EXPECT_EQ(plan->targets.at(0).where, "sys_exit");
    const auto ended = plan_of(*proc(), {"proc", "", "", "exit"});
    EXPECT_EQ(ended->arguments[0].kind, Location::Kind::ExitReason);
    EXPECT_EQ(ended->arguments[0].of.at(0).of.at(2).offset, 200);
}

/// A process ends when its last thread ends. The kernel's version decides how a program recognizes this: by a
/// tracepoint argument, a function call, or a count.
TEST(StableProvider, ExitOfAProcessFiresForItsLastThread)
{
    const auto end_in = [](KernelOfHooks& kernel) {
        return plan_of(*provider("proc", kernel), {"proc", "", "", "exit"});
    };
    KernelOfHooks told, called, counted(false);
    told.tell_reasons(2);
    called.tell_reasons(1);
    called.have_functions();
    counted.tell_reasons(1);
    EXPECT_EQ(end_in(told)->kind, ProgramKind::RawTracepoint);
    EXPECT_EQ(end_in(told)->conditions.at(0).left.kind, Location::Kind::ContextWord);
    EXPECT_EQ(end_in(called)->targets.at(0).where, "disassociate_ctty");
    EXPECT_EQ(end_in(counted)->kind, ProgramKind::RawTracepoint);
    EXPECT_EQ(end_in(counted)->conditions.at(0).left.kind, Location::Kind::KernelMemory);
}

TEST(StableProvider, OneProbeMayHaveTwoHooks)
{
    const auto provider = proc();
    TestSink sink;
    ASSERT_TRUE(provider->match({"proc", "", "", "exec"}, sink));
    EXPECT_EQ(provider->plan({&sink.probes.at(0)}, {}, {}).size(), 2u) << "execve, execveat";
}

TEST(StableProvider, AValueIsReadWithTheSizeOfItsMember)
{
    KernelOfHooks kernel;
    const auto plan = plan_of(*provider("tcp", kernel), {"tcp", "", "", "connect-established"});
    const Location& header = plan->arguments[4];
    EXPECT_EQ(header.kind, Location::Kind::Add);
    ASSERT_EQ(header.of.size(), 2u);
    EXPECT_EQ(header.of[1].kind, Location::Kind::KernelMemory);
    EXPECT_EQ(header.of[1].offset, 200);
    EXPECT_EQ(header.of[1].size, 4u);
    ASSERT_EQ(header.of[1].of.size(), 1u);
    EXPECT_EQ(header.of[1].of[0], (Location{Location::Kind::Register, machine::native().calls.arguments[1]}));
}

TEST(StableProvider, ATracepointWithTooFewArgumentsIsNotUsedAsAHook)
{
    KernelOfHooks older(false), newer(false);
    older.tell_reasons(2);
    newer.tell_reasons(3);
    for (KernelOfHooks* kernel : {&older, &newer}) {
        TestSink sink;
        ASSERT_TRUE(provider("mib", *kernel)->match({"mib", "", "", "tcpOutRsts"}, sink));
        EXPECT_EQ(sink.probes.size(), kernel == &newer ? 1u : 0u);
    }
    std::string why;
    provider("mib", older)
        ->explain_absent({"mib", "", "", "tcpOutRsts"},
                         [&](const std::string&, std::string_view reason) { why = reason; });
    EXPECT_TRUE(why.starts_with(
        "this kernel has no function or tracepoint at which the probe could fire (tcp_send_reset with 3 arguments)"))
        << why;
}

TEST(StableProvider, KernelEnumeratorsAreLookedUpByName)
{
    KernelOfHooks kernel(false);
    kernel.tell_reasons(3);
    const auto mib = provider("mib", kernel);
    TestSink sink;
    ASSERT_TRUE(mib->match({"mib", "", "", "udpNoPorts"}, sink));
    for (const auto& plan : mib->plan({&sink.probes.at(0)}, {}, {})) // there is one plan for each version of IP
        EXPECT_EQ(plan->conditions.at(0).values, std::vector<int64_t>{3});
}

TEST(StableProvider, ArgumentsOfFileOperationsAreFoundForEachKindOfOperation)
{
    KernelOfHooks kernel;
    TestSink sink; // finds no probes, because this kernel has no functions
    ASSERT_TRUE(provider("fsinfo", kernel)->match({"fsinfo", "", "", ""}, sink));
    EXPECT_EQ(sink.probes.size(), 0u);
    const auto& rows = stable::fsinfo_rows();
    const auto kind = [&](std::string_view name) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const stable::Row& each) { return each.name == name; });
        return row == rows.end() ? -1 : row->hooks.front().arguments.at(2).where.offset;
    };
    EXPECT_EQ(kind("read"), 0);    // kind 0: the argument is a struct file
    EXPECT_EQ(kind("getattr"), 1); // kind 1: the argument is a struct path
    EXPECT_EQ(kind("mkdir"), 2);   // kind 2: the argument is a struct dentry
}

TEST(StableProvider, WithoutKprobesAlternativeHooksAreUsed)
{
    for (const bool has_kprobes : {true, false}) {
        KernelOfHooks kernel(has_kprobes);
        const auto plan = plan_of(*provider("tcp", kernel), {"tcp", "", "", "connect-established"});
        EXPECT_EQ(plan->kind, has_kprobes ? ProgramKind::Kprobe : ProgramKind::RawTracepoint);
        EXPECT_EQ(plan->targets.at(0).where, has_kprobes ? "tcp_finish_connect" : "inet_sock_set_state");
    }
}

TEST(StableProvider, TheKernelDeterminesWhichOfTwoAlternativeHooksIsUsed)
{
    // This kernel has neither kprobes nor the alternative tracepoint. The plan still names the function, for the error
    // message.
    KernelOfHooks without(false);
    const auto on_cpu = plan_of(*provider("sched", without), {"sched", "", "", "on-cpu"});
    EXPECT_EQ(on_cpu->kind, ProgramKind::Kprobe);
    EXPECT_EQ(on_cpu->targets.at(0).where, "finish_task_switch");
    KernelOfHooks with(true); // in this kernel, a function replaces the missing tracepoint
    with.have_functions();
    EXPECT_EQ(plan_of(*provider("sched", with), {"sched", "", "", "remain-cpu"})->kind, ProgramKind::Kretprobe);
}

TEST(StableProvider, ConditionsMayCompareWithAFunctionsAddress)
{
    KernelOfHooks kernel(false);
    const auto tick = plan_of(*provider("sched", kernel), {"sched", "", "", "tick"});
    ASSERT_EQ(tick->conditions.size(), 1u);
    EXPECT_EQ(tick->conditions[0].values, (std::vector<int64_t>{0x1000, 0x1000}));
}

TEST(StableProvider, AReturnProbeKnowsTheArgumentsOfTheCall)
{
    const auto provider = named("io");
    const auto plan = plan_of(*provider, {"io", "", "", "wait-done"});
    EXPECT_EQ(plan->kind, ProgramKind::Kretprobe);
    ASSERT_TRUE(plan->start_hook);
    EXPECT_EQ(plan->start_hook->kind, ProgramKind::Kprobe);
    EXPECT_EQ(plan->start_hook->arguments[0].index, machine::native().calls.arguments[0]);
    EXPECT_EQ(plan->arguments[0].kind, Location::Kind::Recorded);
    ASSERT_EQ(plan->key.at(0).kind, Location::Kind::Add);
    EXPECT_EQ(plan->key.at(0).of.at(0), plan->start_hook->key.at(0));
    EXPECT_EQ(plan->key.at(0).of.at(1).offset, -8) << "the return address is gone from the stack";
}

TEST(StableProvider, StateOfACallIsStoredInTheSessionCookieOfTheKernel)
{
    KernelOfHooks kernel;
    kernel.keep_words_of_calls();
    const auto io = provider("io", kernel);
    const auto plan = plan_of(*io, {"io", "", "", "wait-done"});
    EXPECT_EQ(plan->kind, ProgramKind::KprobeSession);
    EXPECT_TRUE(plan->has_fallback);
    TestSink sink;
    ASSERT_TRUE(io->match({"io", "", "", "wait-done"}, sink));
    EXPECT_EQ(io->plan({&sink.probes.front()}, {}, {ProgramKind::KprobeSession}).at(0)->kind, ProgramKind::Kretprobe)
        << "the kernel refused the other";
}

TEST(StableProvider, SessionProgramsOfTheKernelMayHaveOneParameter)
{
    for (const uint32_t parameters : {0u, 1u, 2u}) {
        KernelOfHooks kernel;
        kernel.keep_words_of_calls(parameters);
        const auto plan = plan_of(*provider("io", kernel), {"io", "", "", "wait-done"});
        EXPECT_EQ(plan->kfuncs_take_context, parameters == 1);
        EXPECT_EQ(plan->kind, parameters < 2 ? ProgramKind::KprobeSession : ProgramKind::Kretprobe)
            << "of a kernel to come";
    }
}

TEST(StableProvider, ATimeIsNotStoredInTheSessionCookieOfTheKernel)
{
    KernelOfHooks kernel;
    kernel.have_functions();
    kernel.keep_words_of_calls();
    EXPECT_EQ(plan_of(*provider("lockstat", kernel), {"lockstat", "", "", "spin-spin"})->kind, ProgramKind::Kretprobe);
}

TEST(StableProvider, TheEndOfALockWaitIsMatchedToItsStartByThread)
{
    const auto provider = named("lockstat");
    const auto plan = plan_of(*provider, {"lockstat", "", "", "adaptive-block"});
    ASSERT_TRUE(plan->start_hook);
    EXPECT_EQ(plan->targets.at(0).where, "contention_end");
    EXPECT_EQ(plan->start_hook->targets.at(0).where, "contention_begin");
    EXPECT_EQ(plan->key, plan->start_hook->key);
    EXPECT_EQ(plan->key.at(1).kind, Location::Kind::CurrentTask);
    EXPECT_EQ(plan->start_hook->arguments[1].kind, Location::Kind::Select);
    EXPECT_EQ(plan->arguments[1], (Location{Location::Kind::Elapsed, 1}));
}

TEST(StableProvider, WithoutTracepointsOfContendedLocksTheWaitingFunctionsAreHooked)
{
    KernelOfHooks kernel;
    kernel.have_functions();
    kernel.lack_contention();
    const auto lockstat = provider("lockstat", kernel);
    TestSink sink;
    EXPECT_TRUE(lockstat->match({"lockstat", "", "", "adaptive-block"}, sink));
    const auto called = lockstat->plan({&sink.probes.at(0)}, {}, {});
    ASSERT_EQ(called.size(), 3u);
    EXPECT_EQ(called[0]->kind, ProgramKind::Fexit);
    EXPECT_TRUE(called[0]->has_fallback) << "if functions cannot call programs";
    RefusedKinds refused;
    refused.insert(ProgramKind::Fexit);
    const auto probed = lockstat->plan({&sink.probes.at(0)}, {}, refused);
    ASSERT_EQ(probed.size(), 2u);
    EXPECT_EQ(probed[0]->kind, ProgramKind::Kretprobe);
    for (const auto& plan : {called[0], probed[0]}) {
        EXPECT_EQ(plan->targets.at(0).where, "__mutex_lock_slowpath");
        ASSERT_TRUE(plan->start_hook && plan->start_hook->start_hook);
        EXPECT_EQ(plan->start_hook->targets.at(0).where, "schedule_preempt_disabled");
        EXPECT_EQ(plan->start_hook->start_hook->targets.at(0).where, "__mutex_lock_slowpath");
        EXPECT_EQ(plan->key, plan->start_hook->key);
        EXPECT_EQ(plan->key, plan->start_hook->start_hook->key);
    }
}

TEST(StableProvider, LockProbesDoNotExistIfLockFunctionsAreInlined)
{
    KernelOfHooks inlined, without_kprobes(false), whole;
    whole.have_functions();
    const auto spins = [](KernelOfHooks& kernel) {
        TestSink sink;
        EXPECT_TRUE(provider("lockstat", kernel)->match({"lockstat", "", "", "spin-acquire"}, sink));
        return sink.probes.size();
    };
    EXPECT_EQ(spins(whole), 1u);
    EXPECT_EQ(spins(without_kprobes), 1u) << "to be refused for that reason";
    EXPECT_EQ(spins(inlined), 0u);
    std::string why;
    provider("lockstat", inlined)
        ->explain_absent({"lockstat", "", "", "spin-acquire"}, [&](const std::string& what, std::string_view reason) {
            why = what + ": " + std::string(reason);
        });
    EXPECT_TRUE(why.starts_with("lockstat:::spin-acquire: this kernel has no function or tracepoint at which the probe "
                                "could fire (_raw_spin_lock, "))
        << why;
}

TEST(StableProvider, TheStartOfAThreadHasAHookOnEachMachine)
{
    KernelOfHooks arm64, without_kprobes(false);
    arm64.runs_on = machine::named("arm64");
    without_kprobes.runs_on = machine::named("x86_64");
    const auto apart = plan_of(*provider("proc", arm64), {"proc", "", "", "lwp-start"});
    EXPECT_EQ(apart->kind, ProgramKind::Kprobe);
    EXPECT_EQ(apart->targets.at(0).where, "calculate_sigpending");
    ASSERT_EQ(apart->conditions.size(), 2u);
    EXPECT_EQ(apart->conditions[0].left.offset & 0x200000, 0x200000) << "threads of the kernel's own are left out";
    EXPECT_EQ(plan_of(*provider("proc", arm64), {"proc", "", "", "start"})->conditions.size(), 3u) << "a leader";
    const auto provider_here = provider("proc", without_kprobes);
    EXPECT_EQ(plan_of(*provider_here, {"proc", "", "", "lwp-start"})->targets.at(0).where, "sys_exit");
}

TEST(StableProvider, AProbeOfACounterWithoutAHookDoesNotExist)
{
    const auto provider = named("vminfo");
    TestSink sink;
    ASSERT_TRUE(provider->match({"vminfo", "", "", ""}, sink));
    std::string names; // names of the probes that a kernel without tracepoints and functions has
    for (const Probe& probe : sink.probes)
        names += probe.name + " ";
    EXPECT_EQ(names, "as_fault kernel_asflt maj_fault pgrec ");
    const auto plan = plan_of(*provider, {"vminfo", "", "", "as_fault"});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->targets.at(0).where, "1:all:1:2:user");
}

TEST(StableProvider, TheReasonForAMissingCounterIsStated)
{
    KernelOfHooks kernel(false);
    std::string why;
    provider("vminfo", kernel)
        ->explain_absent({"vminfo", "", "", "zfod"}, [&](const std::string& what, std::string_view reason) {
            why = what + ": " + std::string(reason);
        });
    EXPECT_EQ(why, "vminfo:::zfod: this kernel has no function or tracepoint at which the probe could fire "
                   "(do_anonymous_page): it is built "
                   "without CONFIG_KPROBES");
}

TEST(StableProvider, ArgumentsAreTranslatedToTheTypesOfTheProvider)
{
    const auto provider = proc();
    TestSink sink;
    ASSERT_TRUE(provider->match({"proc", "", "", "signal-send"}, sink));
    const ProbeSignature signature = provider->signature(sink.probes.at(0));
    ASSERT_EQ(signature.arguments.size(), 3u);
    EXPECT_EQ(signature.arguments[1].translated, "psinfo_t *");
    EXPECT_EQ(signature.arguments[2].mapping, 1u);
}

TEST(StableProvider, MissingTypeInformationIsReported)
{
    test::FrozenKernel kernel;
    TestSink sink;
    EXPECT_FALSE(make_stable_providers(kernel).front()->match({"proc", "", "", "exit"}, sink));
}

} // namespace
} // namespace dt::probes
