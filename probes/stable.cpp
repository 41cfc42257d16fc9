// proc and sched: stable names for what processes and the scheduler do, each made of a hook of the kernel, conditions and a choice of its values
// (providers reference 12, 13). A row says all of it; offsets of members come from the running kernel's types, so the rows hold for every kernel.
#include <algorithm>

#include "dcompiler/arch.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using Relation = Condition::Relation;

/// A datum of a row: a location whose offset may be that of a member, "struct.path", looked up when it is planned.
struct Source {
    Location where;
    const char* record = nullptr;
    const char* member = nullptr;
};

struct When {
    Source left;
    Relation relation;
    std::vector<int64_t> values;
    std::optional<Source> right = {};
};

/// Where a row's probe fires.
struct Hook {
    ProgramKind kind;
    std::vector<const char*> targets; ///< of a kprobe: names of one function in different kernels
    std::vector<When> when;
    std::vector<Source> arguments; ///< arg0, arg1, …
};

struct Row {
    const char *provider, *name;
    std::vector<Hook> hooks;
    std::vector<ProbeArgument> signature;
};

Source word(uint32_t index, uint8_t size = 8) { return {{Kind::ContextWord, index, 0, size, size != 8}}; }
Source member(uint32_t index, const char* record, const char* path, uint8_t size) { return {{Kind::KernelMemory, index, 0, size, size == 4}, record, path}; }
Source of_task(const char* path) { return {{Kind::TaskWord}, "task_struct", path}; }
Source user_register(uint32_t index) { return {{Kind::UserRegister, index}}; }

Hook raw(const char* tracepoint, std::vector<Source> arguments = {}, std::vector<When> when = {})
{
    return {ProgramKind::RawTracepoint, {tracepoint}, std::move(when), std::move(arguments)};
}

Hook function(std::vector<const char*> names, std::vector<Source> arguments = {})
{
    return {ProgramKind::Kprobe, std::move(names), {}, std::move(arguments)};
}

/// The return of some system calls (sys_exit(regs, ret)) whose result fits.
Hook call_returned(std::vector<int64_t> numbers, Relation relation, std::vector<When> also = {})
{
    also.insert(also.begin(), {{user_register(arch::kSyscallNumber), Relation::OneOf, std::move(numbers)}, {word(1), relation, {0}}});
    return raw("sys_exit", {word(1)}, std::move(also));
}

Hook exec_called(int64_t number, std::size_t path)
{
    return raw("sys_enter", {user_register(arch::kSyscallArguments[path])}, {{word(1), Relation::Equal, {number}}});
}

ProbeArgument thread(uint8_t raw = 0) { return {"struct task_struct *", "lwpsinfo_t *", raw}; }
ProbeArgument process(uint8_t raw = 0) { return {"struct task_struct *", "psinfo_t *", raw}; }
ProbeArgument number(uint8_t raw) { return {"int", {}, raw}; }

const std::vector<Row>& rows()
{
    const std::vector<int64_t> execs{arch::kExecve, arch::kExecveat};
    const std::vector<int64_t> forks{arch::kClone, arch::kFork, arch::kVfork, arch::kClone3};
    const Source current{{Kind::CurrentTask}};
    const When leads{of_task("pid"), Relation::Equal, {}, of_task("tgid")};
    // sched_process_fork(parent, child), sched_process_exit(task), signal_generate(sig, info, task, type, result), signal_deliver(sig, info, ka),
    // sched_switch(preempt, prev, next, prev_state), sched_waking(task)
    static const std::vector<Row> kRows = {
        {"proc", "create", {raw("sched_process_fork", {word(1)})}, {process()}},
        {"proc", "lwp-create", {raw("sched_process_fork", {word(1)})}, {thread(), process()}},
        {"proc", "exec", {exec_called(arch::kExecve, 0), exec_called(arch::kExecveat, 1)}, {{"string", {}, 0, true}}},
        {"proc", "exec-failure", {call_returned(execs, Relation::NotEqual)}, {number(0)}},
        {"proc", "exec-success", {call_returned(execs, Relation::Equal)}, {}},
        {"proc", "lwp-exit", {raw("sched_process_exit")}, {}},
        {"proc", "exit", {raw("sched_process_exit", {{{Kind::ExitReason, 0, 0, 4}, "task_struct", "exit_code"}}, {leads})}, {number(0)}},
        {"proc", "start", {call_returned(forks, Relation::Equal, {leads})}, {}},
        {"proc", "lwp-start", {call_returned(forks, Relation::Equal)}, {}},
        {"proc", "signal-send", {raw("signal_generate", {word(2), word(0, 4)}, {{word(4, 4), Relation::Equal, {0}}})}, {thread(), process(), number(1)}},
        {"proc", "signal-discard", {raw("signal_generate", {word(2), word(0, 4)}, {{word(4, 4), Relation::Equal, {1}}})}, {thread(), process(), number(1)}},
        {"proc", "signal-clear", {call_returned({arch::kSigtimedwait}, Relation::Greater)}, {number(0)}},
        {"proc", "signal-handle", {raw("signal_deliver", {word(0, 4), word(1), member(2, "k_sigaction", "sa.sa_handler", 8)})},
         {number(0), {"struct kernel_siginfo *", {}, 1}, {"void *", {}, 2}}},
        {"sched", "off-cpu", {raw("sched_switch", {word(2)})}, {thread(), process()}},
        {"sched", "on-cpu", {function({"finish_task_switch", "finish_task_switch.isra.0"})}, {}},
        {"sched", "sleep", {raw("sched_switch", {}, {{word(0, 1), Relation::Equal, {0}}, {word(3, 4), Relation::NotEqual, {0}}})}, {}},
        {"sched", "preempt", {raw("sched_switch", {}, {{word(0, 1), Relation::NotEqual, {0}}})}, {}},
        {"sched", "wakeup", {raw("sched_waking", {word(0)})}, {thread(), process()}},
        {"sched", "surrender", {function({"do_sched_yield"}, {current})}, {thread(), process()}},
        {"sched", "tick", {function({"sched_tick", "scheduler_tick"}, {current})}, {thread(), process()}},
    };
    return kRows;
}

class StableProvider final : public Provider {
public:
    StableProvider(std::string_view name, KernelView& kernel) : name_(name), kernel_(kernel) {}

    std::string_view name() const override { return name_; }
    uint32_t places() const override { return static_cast<uint32_t>(rows().size()); }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!glob_match(pattern.module, "vmlinux") || !glob_match(pattern.function, ""))
            return {};
        if (!kernel_.types())
            return Error{"the kernel has no type information (CONFIG_DEBUG_INFO_BTF), which tells where the members are that " + std::string(name_) + " looks at"};
        for (std::size_t i = 0; i < rows().size(); ++i) {
            const Row& row = rows()[i];
            if (row.provider != name_ || !glob_match(pattern.name, row.name))
                continue;
            Probe probe;
            probe.place = i;
            probe.provider = row.provider;
            probe.module = "vmlinux";
            probe.name = row.name;
            probe.attributes = &kStableAttributes;
            sink.add(std::move(probe));
        }
        return {};
    }

    ProbeSignature signature(const Probe& probe) override { return {rows()[probe.place].signature, false}; }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&, const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const Probe* probe : probes)
            for (const Hook& hook : rows()[probe->place].hooks)
                plans.push_back(std::make_shared<const AttachPlan>(planned(*probe, hook)));
        return plans;
    }

private:
    AttachPlan planned(const Probe& probe, const Hook& hook)
    {
        AttachPlan plan;
        plan.kind = hook.kind;
        plan.probes = {{&probe, 0}};
        plan.alternatives = hook.targets.size() > 1;
        for (const char* target : hook.targets)
            plan.targets.push_back({target, 0, 0, &probe});
        for (std::size_t i = 0; i < hook.arguments.size(); ++i)
            plan.arguments[i] = located(hook.arguments[i]);
        for (const When& when : hook.when)
            plan.conditions.push_back({located(when.left), when.relation, when.values, when.right ? std::optional(located(*when.right)) : std::nullopt});
        return plan;
    }

    /// All members of the rows are in every supported kernel.
    Location located(const Source& source)
    {
        Location where = source.where;
        const auto place = source.record ? kernel_.types()->member("vmlinux", source.record, source.member) : std::nullopt;
        if (place && where.kind == Kind::TaskWord)
            where.index = static_cast<uint32_t>(place->bit_offset / 8);
        else if (place)
            where.offset = static_cast<int64_t>(place->bit_offset / 8);
        return where;
    }

    std::string_view name_;
    KernelView& kernel_;
};

} // namespace

std::vector<std::unique_ptr<Provider>> make_stable_providers(KernelView& kernel)
{
    std::vector<std::unique_ptr<Provider>> providers;
    for (const char* name : {"proc", "sched"})
        providers.push_back(std::make_unique<StableProvider>(name, kernel));
    return providers;
}

} // namespace dt::probes
