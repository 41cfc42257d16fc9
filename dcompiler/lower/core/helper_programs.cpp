// Implements the set of followed processes and the three programs that keep it. They run at every fork, exec and exit
// of the machine; one lookup excludes unrelated processes.
//
// The set contains ids of the initial pid namespace, because a task under construction has no other yet. The session
// refuses -x follow in other namespaces.
#include "dcompiler/lower/followed.hpp"

#include <optional>

#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/side_programs.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

/// Side program at a raw tracepoint that continues only in a process of the set.
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
    Value process() const { return process_; } ///< current process
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
                    [&] { b().call_local(module_.functions.lose(Loss::Dynamic), {}); });
    }

    void add()
    {
        b().jump(leave_);
        b().enter(leave_);
        b().ret(b().constant(0));
        add_side_program(module_, std::move(function_), std::make_shared<const AttachPlan>(std::move(plan_)), {});
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
/// parent. A child process joins its parent's set. A new thread's process is already in it.
void add_fork(ModuleLowering& module, uint64_t process_offset)
{
    FollowProgram at(module, "sched_process_fork");
    at.insert(at.read(at.argument(1), process_offset, 4), at.origin());
    at.add();
}

/// Adds the program at sched_process_exec(struct task_struct *, …), which runs in the task. With follow=fork, a child
/// that executes another program is no longer followed.
void add_exec(ModuleLowering& module)
{
    FollowProgram at(module, "sched_process_exec");
    at.b().if_then(Op::Ne, at.process(), at.origin(), [&] { at.remove(at.process()); });
    at.add();
}

/// Adds the program at sched_process_exit(struct task_struct *, …), which runs in the task. The process has ended if it
/// has no live thread left.
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
            "D_UNKNOWN", {}, "option follow needs the kernel's types, which tell where a task has its process");
    add_fork(module, *process);
    if (module.options.follow == "fork")
        add_exec(module);
    add_exit(module, *signal, *live);
}

} // namespace dt::lower
