// Adds programs that contain no clauses. Such a program runs at every event of its hook and takes time, so it exists
// only if the script needs it.
#include "dcompiler/lower/core/helper_programs.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

void add_helper_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                        const std::vector<PlannedProbe>& probes)
{
    ProgramPlan made{function.name, std::move(plan), {}};
    made.is_helper = !probes.empty();
    for (const PlannedProbe& planned : probes)
        made.probes.push_back(planned.probe->id);
    made.first_function = static_cast<uint32_t>(module.out.module.functions.size());
    module.out.module.functions.push_back(std::move(function));
    made.end_function = static_cast<uint32_t>(module.out.module.functions.size());
    module.out.schema.programs.push_back(std::move(made));
}

void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill)
{
    TypeSource* const types = module.world.running_types();
    const std::string name = prefix + tracepoint;
    if (module.parts.programs.contains(name) || !types ||
        !types->find(*module.program.types, TypeNamespace::Ordinary, "btf_trace_" + tracepoint, ""))
        return;
    AttachPlan plan;
    plan.kind = kind;
    plan.targets = {{tracepoint, 0, 0, nullptr}};
    ir::Function f;
    f.name = name;
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    fill(b);
    b.ret(b.constant(0));
    add_helper_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

ir::Value state_at_switch(ModuleLowering& module, ir::Builder& b, ir::Value previous)
{
    constexpr int64_t kPreempt = 0, kPreviousState = 3 * 8; // offsets in the context
    // the data pointer, the first parameter in the type, is not in the program's context
    constexpr std::size_t kParametersWithState = 5;
    TypeSource* const types = module.world.running_types();
    const Type* const pointer =
        types ? types->find(*module.program.types, TypeNamespace::Ordinary, "btf_trace_sched_switch", "") : nullptr;
    const bool has_state = !pointer || pointer->resolve()->target->resolve()->parameters.size() >= kParametersWithState;
    const auto state = [&] {
        if (has_state)
            return b.unary(ir::Op::ZExt, b.load(8, b.param(0), kPreviousState), 4);
        const auto member = kernel_offset(module, "task_struct", "__state"); // before Linux 5.14: state
        const auto offset = member ? member : kernel_offset(module, "task_struct", "state");
        return b.load(4, previous, static_cast<int64_t>(offset.value_or(0)));
    };
    const Value preempted = b.binary(ir::Op::And, b.load(8, b.param(0), kPreempt), b.constant(1));
    return b.select(
        ir::Op::Ne, preempted, b.constant(0), [&] { return b.constant(0); }, state);
}

void add_is_enabled_program(ModuleLowering& module, const AttachPlan& plan)
{
    ir::Function f;
    f.name = "dt_asking_" + std::to_string(module.out.schema.programs.size());
    f.section = plan.is_enabled_probe->kind_info().section;
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const ir::BlockId leave = b.block();
    if (plan.is_enabled_probe->process_scope == ProcessScope::Tree)
        origin_of(module, b, b.binary(ir::Op::LShr, b.call_helper(kGetCurrentPidTgid, {}), b.constant(32)), leave);
    const Value one = b.stack_addr(b.slot(8));
    b.store(8, one, 0, b.constant(1));
    const Value flag = b.load(8, b.param(0), plan.is_enabled_probe->arguments[0].index * 8);
    // A process asks whether a probe is enabled by testing a flag of type uint32_t, which this program sets. If it
    // cannot write the flag, the process believes that the probe is disabled.
    b.call_helper(kProbeWriteUser, {flag, one, b.constant(4)});
    b.jump(leave);
    b.enter(leave);
    b.ret(b.constant(0));
    add_helper_program(module, std::move(f), plan.is_enabled_probe, plan.probes);
}

// Implements the set of followed processes (option followchildren) and the three programs that update it. They run at
// every fork, exec and exit of the machine, but a single lookup ends them in unrelated processes.
//
// The set of followed processes contains ids of the initial pid namespace, because a task that is being created has no
// other ids yet. The session refuses -x followchildren in other namespaces.

namespace {

/// Program at a raw tracepoint for -x followchildren. It ends at once in processes that are not followed.
class FollowProgram {
public:
    FollowProgram(ModuleLowering& module, const char* tracepoint) : module_(module), builder_(function_)
    {
        plan_.kind = ProgramKind::RawTracepoint;
        plan_.targets = {{tracepoint, 0, 0, nullptr}};
        function_.name = std::string("dt_follow_") + tracepoint;
        function_.section = plan_.section();
        function_.param_mem = {Mem::Context};
        function_.param_region = {0};
        leave_ = b().block();
        process_ = b().binary(Op::LShr, b().call_helper(kGetCurrentPidTgid, {}), b().constant(32));
        origin_ = origin_of(module_, b(), process_, leave_);
    }

    ir::Builder& b() { return builder_; }
    ir::BlockId leave() const { return leave_; }
    Value process() const { return process_; } ///< id of the current process
    Value origin() const { return origin_; }

    /// Yields an argument of the tracepoint.
    Value argument(int64_t index) { return b().load(8, b().param(0), 8 * index); }

    /// Reads `size` bytes of kernel memory as a number; yields 0 if they cannot be read.
    Value read(Value base, uint64_t offset, uint8_t size)
    {
        const Value word = b().stack_addr(b().slot(8));
        b().store(8, word, 0, b().constant(0));
        b().call_helper(kProbeReadKernel, {word, b().constant(size),
                                           b().binary(Op::Add, base, b().constant(static_cast<int64_t>(offset)))});
        return b().load(size, word, 0);
    }

    void remove(Value process) { b().call_helper(kMapDelete, {b().map_ref(module_.maps.followed()), key(process)}); }

    void insert(Value process, Value origin)
    {
        const Value failed = b().call_helper(
            kMapUpdate, {b().map_ref(module_.maps.followed()), key(process), key(origin), b().constant(0)});
        b().if_then(Op::Ne, failed, b().constant(0),
                    [&] { b().call_local(module_.functions.count_loss(Loss::Dynamic), {}); });
    }

    void add()
    {
        b().jump(leave_);
        b().enter(leave_);
        b().ret(b().constant(0));
        add_helper_program(module_, std::move(function_), std::make_shared<const AttachPlan>(std::move(plan_)), {});
    }

private:
    Value key(Value number)
    {
        const Value at = b().stack_addr(b().slot(8));
        b().store(4, at, 0, number);
        return at;
    }

    ModuleLowering& module_;
    AttachPlan plan_;
    ir::Function function_;
    ir::Builder builder_;
    ir::BlockId leave_ = 0;
    Value process_ = ir::kNone, origin_ = ir::kNone;
};

/// Adds the program at sched_process_fork(struct task_struct *parent, struct task_struct *child), which runs in the
/// parent. A child process joins its parent's set. A new thread belongs to a process that is already in the set.
void add_fork(ModuleLowering& module, uint64_t process_offset)
{
    FollowProgram at(module, "sched_process_fork");
    at.insert(at.read(at.argument(1), process_offset, 4), at.origin());
    at.add();
}

/// Adds the program at sched_process_exec(struct task_struct *, …), which runs in the task. With followchildren=fork, a
/// child that executes another program is no longer followed.
void add_exec(ModuleLowering& module)
{
    FollowProgram at(module, "sched_process_exec");
    at.b().if_then(Op::Ne, at.process(), at.origin(), [&] { at.remove(at.process()); });
    at.add();
}

/// Adds the program at sched_process_exit(struct task_struct *, …), which runs in the exiting task. The process has
/// ended if no live thread remains.
void add_exit(ModuleLowering& module, uint64_t signal_offset, uint64_t live_offset)
{
    FollowProgram at(module, "sched_process_exit");
    const Value live = at.read(at.read(at.argument(0), signal_offset, 8), live_offset, 4);
    at.b().if_then(Op::Eq, live, at.b().constant(0), [&] { at.remove(at.process()); });
    at.add();
}

} // namespace

Value origin_of(ModuleLowering& module, ir::Builder& b, Value process, ir::BlockId leave)
{
    const Value key = b.stack_addr(b.slot(8));
    b.store(4, key, 0, process);
    const Value found = b.call_helper(kMapLookup, {b.map_ref(module.maps.followed()), key}, Mem::MapOrNull, 4);
    const ir::BlockId followed = b.block();
    b.branch(Op::Ne, found, b.constant(0), followed, leave);
    b.enter(followed);
    return b.load(4, b.not_null(found), 0);
}

void add_follow_programs(ModuleLowering& module)
{
    const auto process = kernel_offset(module, "task_struct", "tgid"),
               signal = kernel_offset(module, "task_struct", "signal"),
               live = kernel_offset(module, "signal_struct", "live");
    if (!process || !signal || !live)
        return module.diagnostics.error(
            "D_UNKNOWN", {},
            "option followchildren needs type information of the kernel (members of task_struct "
            "and signal_struct), and this kernel has none");
    add_fork(module, *process);
    if (module.options.followchildren == "fork")
        add_exec(module);
    add_exit(module, *signal, *live);
}

// Generates the program at sched_switch that records data for vtimestamp. It exists only if a script reads vtimestamp.

void add_on_cpu_program(ModuleLowering& module)
{
    // Tracepoint in include/trace/events/sched.h: sched_switch(bool preempt, struct task_struct *prev, struct
    // task_struct *next, …). It is called after the scheduler has accounted prev's time and before next runs.
    constexpr int64_t kNext = 2 * 8;
    constexpr int64_t kTask = 0, kHad = 8, kSince = 16;
    AttachPlan plan;
    plan.kind = ProgramKind::RawTracepoint;
    plan.targets = {{"sched_switch", 0, 0, nullptr}};

    ir::Function f;
    f.name = kOnCpuProgram;
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(0));
    const uint32_t map = module.maps.per_cpu(kOnCpuMap, kOnCpuSize);
    const Value next = b.load(8, b.param(0), kNext);
    const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, kOnCpuSize);
    b.if_then(Op::Ne, found, b.constant(0), [&] {
        const Value cpu = b.not_null(found);
        const Value had = b.binary(Op::Add, cpu, b.constant(kHad));
        b.instr(had).mem = Mem::MapValue;
        b.instr(had).region = 8;
        const Value runtime =
            b.constant(static_cast<int64_t>(kernel_offset(module, "task_struct", kRuntimeMember).value_or(0)));
        b.call_helper(kProbeReadKernel, {had, b.constant(8), b.binary(Op::Add, next, runtime)});
        b.store(8, cpu, kSince, b.call_helper(kKtimeGetNs, {}));
        b.store(8, cpu, kTask, next);
    });
    b.ret(b.constant(0));

    add_helper_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

void add_pin_timeout_program(ModuleLowering& module)
{
    AttachPlan plan;
    plan.kind = ProgramKind::PerfEvent;
    plan.has_link = true;
    plan.targets = {{"1000000000:one", 0, 0, nullptr}};

    ir::Function f;
    f.name = "dt_lease";
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const Value state = b.data_addr(module.data.state(), sizeof(dt_state));
    const Value lease = b.load(8, state, offsetof(dt_state, lease));
    b.if_then(Op::Ne, lease, b.constant(0), [&] {
        b.if_then(Op::ULt, lease, b.call_helper(kKtimeGetNs, {}),
                  [&] { b.store(4, state, offsetof(dt_state, activity), b.constant(DT_DRAINING)); });
    });
    b.ret(b.constant(0));
    add_helper_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

// Counting a run costs two loads and a store. Only programs of slow timer probes, with at most ten runs a second, count
// their runs (AttachPlan::counts_runs).

uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave)
{
    const uint32_t data = module.data.once("dt_ticks", [] { return ir::Data{"dt_ticks", DT_SECTION_TICKS, 0, 8, {}}; });
    ir::Data& ticks = module.data.at(data);
    const uint32_t place = ticks.size / sizeof(dt_tick);
    ticks.bytes.resize(ticks.size + offsetof(dt_tick, limit), 0);
    ticks.bytes.resize(ticks.size + sizeof(dt_tick), 0xff);
    ticks.size += sizeof(dt_tick);
    const Value tick = b.data_addr(data, sizeof(dt_tick), static_cast<int64_t>(place * sizeof(dt_tick)));
    const Value ran = b.load(8, tick, offsetof(dt_tick, ran));
    const ir::BlockId wanted = b.block();
    b.branch(Op::ULt, ran, b.load(8, tick, offsetof(dt_tick, limit)), wanted, leave);
    b.enter(wanted);
    b.store(8, tick, offsetof(dt_tick, ran), b.binary(Op::Add, ran, b.constant(1)));
    return place;
}

} // namespace dt::lower
